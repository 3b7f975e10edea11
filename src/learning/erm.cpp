#include <Eigen/QR>

#include "core/linalg.hpp"
#include "factorization.hpp"
#include "learning/minimizers.hpp"
#include "risk/risk.hpp"

namespace loopcert {
namespace {

// Sigma = W W' singular. With Y = R'Z the risk is ||R^-1 N_0 W + Y W||^2 + const and its row blocks
// decouple: block t sees the rows W_t of W that u_t may use, so the fit Y_t W_t = C_t is the
// projection of -(R^-1 N_0 W)_t on the row space of W_t. These spaces are nested, hence
// X = R^-T C has X_t = Z_t W_t in the row space of W_t as well, and the minimizer of smallest norm
// is Z_t = X_t W_t^+, row block by row block.
Minimizer minimum_norm(const QuadraticForm& form, const Matrix& R, const MatrixView& Sigma) {
  const CausalPattern& pattern = form.pattern;
  const Index n_u = pattern.sizes.n_u;
  const Index first = pattern.first_free_column();
  const Matrix W = psd_factor(Sigma);  // d_z x r
  const Vector row_norms = W.rowwise().norm();
  const Matrix E = R.triangularView<Eigen::Upper>().solve(Matrix(form.N_0 * W));

  Minimizer result;
  result.determined = false;
  result.Z = Matrix::Zero(pattern.rows(), pattern.cols());
  Matrix X = Matrix::Zero(pattern.rows(), W.cols());
  for (Index row = 0; row < pattern.rows(); row += n_u) {
    const Index width = pattern.end_column(row) - first;
    // Small relative to all of W: a block that is nothing but rounding must count as zero.
    const double largest = row_norms.segment(first, width).maxCoeff();
    Eigen::CompleteOrthogonalDecomposition<Matrix> W_t;
    W_t.setThreshold(largest > 0 ? 1e-7 * row_norms.maxCoeff() / largest : 1.0);
    W_t.compute(W.middleRows(first, width).transpose());
    // C_t = Y_t W_t with Y_t the least-squares fit of -E_t.
    const Matrix Y_t = -W_t.solve(E.middleRows(row, n_u).transpose()).transpose();
    Matrix X_t = Y_t * W.middleRows(first, width);
    // R_tt' X_t = C_t - sum_{s<t} R_st' X_s
    X_t -= R.block(0, row, row, n_u).transpose() * X.topRows(row);
    R.block(row, row, n_u, n_u).transpose().triangularView<Eigen::Lower>().solveInPlace(X_t);
    X.middleRows(row, n_u) = X_t;
    result.Z.block(row, first, n_u, width) = W_t.solve(X_t.transpose()).transpose();
    result.rank = W_t.rank();
  }
  return result;
}

}  // namespace

Minimizer minimize_risk(const QuadraticForm& form, const MatrixView& Sigma) {
  const Matrix R = upper_cholesky(form.P);
  Matrix L = lower_cholesky_or_empty(free_block(form.pattern, Sigma));
  if (L.size() == 0) return minimum_norm(form, R, Sigma);
  Minimizer result;
  result.rank = L.cols();
  result.Z = -CausalFactorization(form.pattern, R, std::move(L)).solve(form.N_0 * Sigma);
  return result;
}

}  // namespace loopcert
