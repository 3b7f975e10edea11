#include <Eigen/QR>
#include <optional>

#include "core/linalg.hpp"
#include "factorization.hpp"
#include "learning/large_products.hpp"
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

// By a device's products, with one step that takes back what rounding did. Nothing where Sigma is
// not far from singular, or the equation holds to less than ten digits.
std::optional<Minimizer> minimizer_on_device(const QuadraticForm& form, const Matrix& R,
                                             const Matrix& Sigma, LargeProducts& products) {
  const auto factors =
      FactorInverses::of(form.pattern, R, free_block(form.pattern, Sigma), products);
  if (!factors) return std::nullopt;
  Matrix target = -products(form.N_0, Sigma);
  project_causal(form.pattern, target);
  Minimizer result;
  result.rank = form.pattern.end_free_column() - form.pattern.first_free_column();
  result.Z = factors->solve(target);
  const auto residual = [&] {
    Matrix image = products(form.P, products(result.Z, Sigma));
    project_causal(form.pattern, image);
    return Matrix(target - image);
  };
  result.Z += factors->solve(residual());
  if (!(residual().norm() <= 1e-10 * target.norm())) return std::nullopt;
  return result;
}

}  // namespace

Minimizer minimize_risk(const QuadraticForm& form, const MatrixView& Sigma) {
  const Matrix R = upper_cholesky(form.P);
  LargeProducts products(form.pattern);
  if (products.on_device())
    if (std::optional<Minimizer> found = minimizer_on_device(form, R, Sigma, products)) {
      found->left_device = products.left_device();
      return std::move(*found);
    }
  Matrix L = lower_cholesky_or_empty(free_block(form.pattern, Sigma));
  if (L.size() == 0) return minimum_norm(form, R, Sigma);
  Minimizer result;
  result.rank = L.cols();
  result.Z = -CausalFactorization(form.pattern, R, std::move(L)).solve(form.N_0 * Sigma);
  return result;
}

}  // namespace loopcert
