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

Matrix lqr_start(const System& system, const CausalPattern& pattern) {
  const Response lqr = lqr_response(system);
  Matrix Phi_u0(pattern.rows(), pattern.cols());
  Phi_u0.rightCols(lqr.Phi_u.cols()) = lqr.Phi_u;
  if (pattern.constant) Phi_u0.col(0) = lqr.phi_u;
  return Phi_u0;
}

}  // namespace

ResponseSpace make_response_space(const System& system, const ResponseOptions& options) {
  check_system(system);
  const Sizes sizes = system.sizes();
  const Index d_u = sizes.d_u();

  ResponseSpace space;
  space.options = options;
  space.pattern = {sizes, options.affine || system.plant.has_offset(), options.affine};

  const StackedOperators op = stacked_operators(system.plant);
  Matrix F = extended_F(system.plant, space.pattern, op.F);

  Orthonormal basis;
  if (options.basis == Basis::orthonormal || options.start == Start::min_norm)
    basis = orthonormal_basis(system.plant, op.S_x);
  const bool orthonormal = options.basis == Basis::orthonormal;
  space.T_u = orthonormal ? basis.T : Matrix::Identity(d_u, d_u);
  if (orthonormal) space.basis_error = basis.error;

  switch (options.start) {
    case Start::min_norm:
      space.Phi_u0 = min_norm_start(space.pattern, basis, F);
      break;
    case Start::lqr:
      space.Phi_u0 = lqr_start(system, space.pattern);
      break;
    case Start::zero_input:
      space.Phi_u0 = Matrix::Zero(d_u, space.pattern.cols());
      break;
  }

  // With Phi_x0 = F + S_x Phi_u0 and S = [Qbar^1/2 S_x; Rbar^1/2] T_u:
  const Matrix Phi_x0 = F + apply_S_x(system.plant, space.Phi_u0);
  const Matrix& S_T = orthonormal ? basis.S_T : op.S_x;
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
  return space;
}

}  // namespace loopcert
