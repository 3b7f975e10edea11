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

// Smallest ||(Phi_x, Phi_u)||_F: Phi_u0[b:, b] = -O[b:, b:]^-1 (S_x' F)[b:, b], O = I + S_x' S_x.
Matrix min_norm_start(const CausalPattern& pattern, const Matrix& U, const Matrix& S_x,
                      const Matrix& F) {
  CausalPattern full = pattern;
  full.affine = pattern.constant;  // the start fills the offset column even when it is not free
  return causal_solve(full, U, S_x.transpose() * F);
}

Matrix lqr_start(const System& system, const CausalPattern& pattern) {
  const Response lqr = lqr_response(system);
  Matrix Phi_u0(pattern.rows(), pattern.cols());
  Phi_u0.rightCols(lqr.Phi_u.cols()) = lqr.Phi_u;
  if (pattern.constant) Phi_u0.col(0) = lqr.phi_u;
  return Phi_u0;
}

}  // namespace

Matrix causal_solve(const CausalPattern& pattern, const MatrixView& U, Matrix B) {
  U.triangularView<Eigen::Upper>().solveInPlace(B);
  project_causal(pattern, B);
  U.transpose().triangularView<Eigen::Lower>().solveInPlace(B);
  return -B;
}

ResponseSpace make_response_space(const System& system, const ResponseOptions& options) {
  check_system(system);
  const Sizes sizes = system.sizes();
  const Index d_u = sizes.d_u();

  ResponseSpace space;
  space.options = options;
  space.pattern = {sizes, options.affine || system.plant.has_offset(), options.affine};

  const StackedOperators op = stacked_operators(system.plant);
  Matrix F = extended_F(system.plant, space.pattern, op.F);

  Matrix U;  // I + S_x' S_x = U U'
  if (options.basis == Basis::orthonormal || options.start == Start::min_norm)
    U = upper_cholesky(Matrix::Identity(d_u, d_u) + op.S_x.transpose() * op.S_x);
  space.T_u = Matrix::Identity(d_u, d_u);
  if (options.basis == Basis::orthonormal)
    U.transpose().triangularView<Eigen::Lower>().solveInPlace(space.T_u);

  switch (options.start) {
    case Start::min_norm:
      space.Phi_u0 = min_norm_start(space.pattern, U, op.S_x, F);
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
  const Matrix Q_S = apply_Q(system.cost, sizes, op.S_x);
  const Matrix Q_Phi_x0 = apply_Q(system.cost, sizes, Phi_x0);
  const Matrix R_Phi_u0 = apply_R(system.cost, sizes, space.Phi_u0);
  const Matrix R_bar = apply_R(system.cost, sizes, Matrix::Identity(d_u, d_u));
  const auto T_u = space.T_u.triangularView<Eigen::Lower>();
  const auto T_u_transposed = space.T_u.transpose().triangularView<Eigen::Upper>();

  space.P = op.S_x.transpose() * Q_S + R_bar;  // in input coordinates
  space.P = T_u_transposed * Matrix(space.P * T_u);
  space.P = (0.5 * (space.P + space.P.transpose())).eval();
  space.N_0 = op.S_x.transpose() * Q_Phi_x0 + R_Phi_u0;
  space.N_0 = T_u_transposed * space.N_0;
  space.K_0 = Phi_x0.transpose() * Q_Phi_x0;
  space.K_0.noalias() += space.Phi_u0.transpose() * R_Phi_u0;
  space.K_0 = (0.5 * (space.K_0 + space.K_0.transpose())).eval();
  return space;
}

}  // namespace loopcert
