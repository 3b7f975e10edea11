#include "loopcert/response/space.hpp"

#include "loopcert/core/check.hpp"
#include "loopcert/core/linalg.hpp"
#include "loopcert/response/lqr.hpp"

namespace loopcert {
namespace {

// [F d, F] with the constant's column in front, or F.
Matrix extended_F(const Plant& plant, const CausalPattern& pattern, const Matrix& F) {
  Matrix extended(F.rows(), pattern.cols());
  extended.rightCols(F.cols()) = F;
  if (pattern.constant) extended.col(0) = apply_F(plant, plant.stacked_offset());
  return extended;
}

// T lower triangular with T'(I + S_x'S_x) T = I, and S_x T.
struct Orthonormal {
  Matrix T, S_T;
  double error = 0;  // largest entry of T'(I + S_x'S_x) T - I
};

// S_x T by the plant's recursion: S_x itself may be so large that a product with it has no digits.
void measure(const Plant& plant, Orthonormal& basis) {
  basis.S_T = apply_S_x(plant, basis.T);
  Matrix rest = basis.S_T.transpose() * basis.S_T;
  rest.noalias() += basis.T.transpose() * basis.T;
  rest.diagonal().array() -= 1;
  basis.error = rest.cwiseAbs().maxCoeff();
}

// The Cholesky factor of I + S_x'S_x squares its condition. What it has lost is put right by the
// factor of T'(I + S_x'S_x) T, which is close to I.
Orthonormal orthonormal_basis(const Plant& plant, const Matrix& S_x) {
  const Index d_u = S_x.cols();
  const Matrix I = Matrix::Identity(d_u, d_u);
  Orthonormal basis{I, {}};
  const Matrix U = upper_cholesky(I + S_x.transpose() * S_x);  // = U U'
  U.transpose().triangularView<Eigen::Lower>().solveInPlace(basis.T);
  measure(plant, basis);
  for (int step = 0; step < 3 && basis.error > 1e-12 && basis.error < 0.1; ++step) {
    const Matrix V =
        upper_cholesky(basis.S_T.transpose() * basis.S_T + basis.T.transpose() * basis.T);
    Orthonormal better{V.triangularView<Eigen::Upper>().solve(Matrix(basis.T.transpose())), {}};
    better.T.transposeInPlace();
    better.T.triangularView<Eigen::StrictlyUpper>().setZero();
    measure(plant, better);
    if (!(better.error < basis.error)) break;
    basis = std::move(better);
  }
  return basis;
}

// Smallest ||(Phi_x, Phi_u)||_F: Phi_u0[b:, b] = -O[b:, b:]^-1 (S_x' F)[b:, b], O = I + S_x' S_x,
// that is -T [T'S_x'F]_causal.
Matrix min_norm_start(const CausalPattern& pattern, const Orthonormal& basis, const Matrix& F) {
  CausalPattern full = pattern;
  full.affine = pattern.constant;  // the start fills the offset column even when it is not free
  Matrix Y = basis.S_T.transpose() * F;
  project_causal(full, Y);
  return -(basis.T.triangularView<Eigen::Lower>() * Y);
}

// The constant's column in front.
Matrix with_constant(const CausalPattern& pattern, const Vector& offset, const Matrix& linear) {
  Matrix joined(linear.rows(), pattern.cols());
  joined.rightCols(linear.cols()) = linear;
  if (pattern.constant) joined.col(0) = offset;
  return joined;
}

// P, N_0 and K_0 from the start's states and S_x T_u.
void set_cost(const System& system, const Matrix& Phi_x0, const Matrix& S_T, ResponseSpace& space) {
  const Sizes sizes = system.sizes();
  const Matrix Q_Phi_x0 = apply_Q(system.cost, sizes, Phi_x0);
  const Matrix R_Phi_u0 = apply_R(system.cost, sizes, space.Phi_u0);
  const auto T_u_transposed = space.T_u.transpose().triangularView<Eigen::Upper>();
  space.P = S_T.transpose() * apply_Q(system.cost, sizes, S_T);
  space.P += T_u_transposed * apply_R(system.cost, sizes, space.T_u);
  space.P = (0.5 * (space.P + space.P.transpose())).eval();
  space.N_0 = S_T.transpose() * Q_Phi_x0;
  space.N_0 += T_u_transposed * R_Phi_u0;
  space.K_0 = Phi_x0.transpose() * Q_Phi_x0;
  space.K_0.noalias() += space.Phi_u0.transpose() * R_Phi_u0;
  space.K_0 = (0.5 * (space.K_0 + space.K_0.transpose())).eval();
}

}  // namespace

ResponseSpace make_response_space(const System& system, const ResponseOptions& options) {
  check_system(system);
  const Plant& plant = system.plant;
  const Index d_u = system.sizes().d_u();

  ResponseSpace space;
  space.options = options;
  space.pattern = {system.sizes(), options.affine || plant.has_offset(), options.affine};

  // LQR's own loop gives start and basis without S_x, which grows with an unstable plant.
  const bool by_lqr = options.start == Start::lqr && options.basis == Basis::cost;
  StackedOperators op;
  Matrix F;
  if (!by_lqr) {
    op = stacked_operators(plant);
    F = extended_F(plant, space.pattern, op.F);
  }
  LqrGains gains;
  if (options.start == Start::lqr || options.basis == Basis::cost) gains = lqr_gains(system);

  Orthonormal orthonormal;
  if (options.basis == Basis::orthonormal || options.start == Start::min_norm)
    orthonormal = orthonormal_basis(plant, op.S_x);
  Matrix S_T;
  switch (options.basis) {
    case Basis::orthonormal:
      space.T_u = orthonormal.T;
      space.basis_error = orthonormal.error;
      S_T = orthonormal.S_T;
      break;
    case Basis::input:
      space.T_u = Matrix::Identity(d_u, d_u);
      S_T = op.S_x;
      break;
    case Basis::cost: {
      LqrInputs inputs = lqr_inputs(system, gains);
      space.T_u = std::move(inputs.to_u);
      S_T = std::move(inputs.to_x);
      break;
    }
  }

  Matrix Phi_x0;
  if (options.start == Start::lqr) {
    const Response lqr = lqr_response(system, gains);
    space.Phi_u0 = with_constant(space.pattern, lqr.phi_u, lqr.Phi_u);
    Phi_x0 = with_constant(space.pattern, lqr.phi_x, lqr.Phi_x);
  } else {
    space.Phi_u0 = options.start == Start::min_norm ? min_norm_start(space.pattern, orthonormal, F)
                                                    : Matrix::Zero(d_u, space.pattern.cols());
    Phi_x0 = F + apply_S_x(plant, space.Phi_u0);
  }
  set_cost(system, Phi_x0, S_T, space);
  if (options.basis == Basis::cost)
    space.basis_error = (space.P - Matrix::Identity(d_u, d_u)).cwiseAbs().maxCoeff();
  return space;
}

}  // namespace loopcert
