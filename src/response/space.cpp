#include "response/space.hpp"

#include "core/check.hpp"
#include "core/linalg.hpp"
#include "loopcert/core/error.hpp"
#include "response/lqr.hpp"
#include "system/stacked.hpp"

namespace loopcert {
namespace {

// [F d, F] with the constant's column in front, or F.
Matrix extended_F(const PlantOperator& plant, const CausalPattern& pattern) {
  const Index d_w = plant.sizes.d_w();
  Matrix extended(plant.sizes.d_x(), pattern.cols());
  extended.rightCols(d_w) = plant.F(Matrix::Identity(d_w, d_w));
  if (pattern.constant) extended.col(0) = plant.F(plant.d);
  return extended;
}

// A lower triangular T with T'(I + G'G) T = I, and G T.
struct Orthonormal {
  Matrix T, G_T;
  double error = 0;  // largest entry of T'(I + G'G) T - I
};

// G T by the plant itself: G may be so large that a product with it has no digits.
void measure(const PlantOperator& plant, Orthonormal& basis) {
  basis.G_T = plant.G(basis.T);
  Matrix rest = basis.G_T.transpose() * basis.G_T;
  rest.noalias() += basis.T.transpose() * basis.T;
  rest.diagonal().array() -= 1;
  basis.error = rest.cwiseAbs().maxCoeff();
}

// The Cholesky factor of I + G'G squares its condition. What it has lost is put right by the
// factor of T'(I + G'G) T, which is close to I.
Orthonormal orthonormal_basis(const PlantOperator& plant) {
  const Index d_u = plant.sizes.d_u();
  const Matrix I = Matrix::Identity(d_u, d_u), G = plant.G(I);
  Orthonormal basis{I, {}};
  const Matrix U = upper_cholesky(I + G.transpose() * G);  // = U U'
  U.transpose().triangularView<Eigen::Lower>().solveInPlace(basis.T);
  measure(plant, basis);
  for (int step = 0; step < 3 && basis.error > 1e-12 && basis.error < 0.1; ++step) {
    const Matrix V =
        upper_cholesky(basis.G_T.transpose() * basis.G_T + basis.T.transpose() * basis.T);
    Orthonormal better{V.triangularView<Eigen::Upper>().solve(Matrix(basis.T.transpose())), {}};
    better.T.transposeInPlace();
    better.T.triangularView<Eigen::StrictlyUpper>().setZero();
    measure(plant, better);
    if (!(better.error < basis.error)) break;
    basis = std::move(better);
  }
  return basis;
}

// Smallest ||(Phi_x, Phi_u)||_F: Phi_u0[b:, b] = -O[b:, b:]^-1 (G' F)[b:, b], O = I + G'G,
// that is -T [T'G'F]_causal.
Matrix min_norm_start(const CausalPattern& pattern, const Orthonormal& basis, const Matrix& F) {
  CausalPattern full = pattern;
  full.affine = pattern.constant;  // the start fills the offset column even when it is not free
  Matrix Y = basis.G_T.transpose() * F;
  project_causal(full, Y);
  return -(basis.T.triangularView<Eigen::Lower>() * Y);
}

// Coordinates in which `functional` has P = I.
void set_cost_basis(const PlantOperator& plant, const Functional& functional, Coordinates& c) {
  const Index d_u = plant.sizes.d_u();
  c.T_u = Matrix::Identity(d_u, d_u);
  c.G_T = plant.G(c.T_u);
  const Matrix U = upper_cholesky(curvature(c, functional));
  U.transpose().triangularView<Eigen::Lower>().solveInPlace(c.T_u);
  c.G_T = plant.G(c.T_u);
}

// The constant's column in front.
Matrix with_constant(const CausalPattern& pattern, const Vector& offset, const Matrix& linear) {
  Matrix joined(linear.rows(), pattern.cols());
  joined.rightCols(linear.cols()) = linear;
  if (pattern.constant) joined.col(0) = offset;
  return joined;
}

void set_lqr_start(const System& system, const LqrGains& gains, Coordinates& c) {
  const Response lqr = lqr_response(system, gains);
  c.Phi_u0 = with_constant(c.pattern, lqr.phi_u, lqr.Phi_u);
  c.Phi_x0 = with_constant(c.pattern, lqr.phi_x, lqr.Phi_x);
}

void set_lqr_basis(const System& system, const LqrGains& gains, Coordinates& c) {
  LqrInputs inputs = lqr_inputs(system, gains);
  c.T_u = std::move(inputs.to_u);
  c.G_T = std::move(inputs.to_x);
}

void check_given_basis(const Matrix& T_u, Index d_u) {
  const std::string name = "response.basis_matrix";
  check_size(name, T_u, d_u, d_u);
  check_finite(name, T_u);
  if (!Matrix(T_u.triangularView<Eigen::StrictlyUpper>()).isZero(0.0))
    throw_input_error(name, "an entry above the diagonal",
                      "a lower triangular matrix: others lose causality");
  if (!(T_u.diagonal().cwiseAbs().minCoeff() > 0))
    throw_input_error(name, "a zero on the diagonal", "an invertible matrix");
}

// Start and basis by what the plant does to signals; where they are given by LQR, they stay.
void set_by_operator(const PlantOperator& plant, const Functional& cost, Coordinates& c) {
  const bool has_basis = c.T_u.size() > 0, has_start = c.Phi_u0.size() > 0;
  Orthonormal orthonormal;
  if (c.options.basis == Basis::orthonormal || c.options.start == Start::min_norm)
    orthonormal = orthonormal_basis(plant);
  if (c.options.basis == Basis::orthonormal) {
    c.T_u = orthonormal.T;
    c.G_T = orthonormal.G_T;
    c.basis_error = orthonormal.error;
  } else if (c.options.basis == Basis::input) {
    c.T_u = Matrix::Identity(plant.sizes.d_u(), plant.sizes.d_u());
    c.G_T = plant.G(c.T_u);
  } else if (c.options.basis == Basis::given) {
    check_given_basis(c.options.basis_matrix, plant.sizes.d_u());
    c.T_u = c.options.basis_matrix;
    c.G_T = plant.G(c.T_u);
  } else if (!has_basis) {
    set_cost_basis(plant, cost, c);
  }
  if (has_start) return;
  const Matrix F = extended_F(plant, c.pattern);
  Matrix wanted = F;  // of least norm around the reference
  if (cost.reference.size() > 0) wanted.col(0) -= cost.reference;
  c.Phi_u0 = c.options.start == Start::min_norm ? min_norm_start(c.pattern, orthonormal, wanted)
                                                : Matrix::Zero(plant.sizes.d_u(), c.pattern.cols());
  c.Phi_x0 = F + plant.G(c.Phi_u0);
}

ResponseSpace with_cost(Coordinates coordinates, const Functional& cost) {
  ResponseSpace space{std::move(coordinates), {}};
  space.cost = quadratic_form(space.coordinates, cost);
  const Matrix& P = space.cost.P;
  if (space.coordinates.options.basis == Basis::cost)  // promises P = I
    space.cost.error = space.coordinates.basis_error =
        (P - Matrix::Identity(P.rows(), P.cols())).cwiseAbs().maxCoeff();
  return space;
}

Coordinates begin(const Sizes& sizes, bool offset, const ResponseOptions& options) {
  Coordinates c;
  c.options = options;
  c.pattern = {sizes, options.affine || offset, options.affine};
  return c;
}

}  // namespace

ResponseSpace make_response_space(const System& system, const ResponseOptions& options) {
  check_system(system);
  const Sizes sizes = system.sizes();
  const Functional cost = cost_functional(system.cost, sizes);
  Coordinates c = begin(sizes, system.plant.has_offset() || system.cost.has_reference(), options);
  const bool has_state = system.plant.has_state();
  const bool lqr_start = options.start == Start::lqr,
             lqr_basis = has_state && options.basis == Basis::cost;
  // LQR's own loop gives start and basis without G, which grows with an unstable plant.
  if (lqr_start || lqr_basis) {
    const LqrGains gains = lqr_gains(system);
    if (lqr_start) set_lqr_start(system, gains, c);
    if (lqr_basis) set_lqr_basis(system, gains, c);
  }
  if (!lqr_start || !lqr_basis) set_by_operator(plant_operator(system.plant), cost, c);
  return with_cost(std::move(c), cost);
}

ResponseSpace make_response_space(const PlantOperator& plant, const Functional& cost,
                                  const ResponseOptions& options) {
  if (options.start == Start::lqr)
    throw_input_error("response.start", "'lqr'",
                      "min-norm | zero-input for a plant without a state");
  Coordinates c = begin(plant.sizes, plant.has_offset() || cost.reference.size() > 0, options);
  set_by_operator(plant, cost, c);
  return with_cost(std::move(c), cost);
}

}  // namespace loopcert
