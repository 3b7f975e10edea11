#include "regression.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "core/linalg.hpp"
#include "inspect_common.hpp"

namespace loopcert {
namespace {

constexpr double dependent = 1e-10;  // eigenvalues of a Gram matrix with unit diagonal, relative

// 2 log of the likelihood ratio is about chi^2; Bartlett's correction for the numbers estimated.
double ratio_p(double gain, double N, double estimated, double degrees) {
  return chi_squared_upper(std::max(0.0, gain) * (N - estimated) / N, degrees);
}

}  // namespace

Regression regress(const TransitionSums& sums) {
  Regression out{static_cast<double>(sums.N)};
  Matrix residual = sums.yy;
  if (sums.rr.rows() > 0) {
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(with_unit_diagonal(sums.rr));
    const Vector& s = eigen.eigenvalues();  // increasing
    const Index rank = (s.array() > dependent * s(s.size() - 1)).count();
    const Vector unit =
        sums.rr.diagonal().cwiseSqrt().unaryExpr([](double u) { return u > 0 ? 1 / u : 0.0; });
    const Matrix half = s.tail(rank).cwiseSqrt().cwiseInverse().asDiagonal() *
                        eigen.eigenvectors().rightCols(rank).transpose() * unit.asDiagonal() *
                        sums.yr.transpose();
    residual -= half.transpose() * half;
    out.rank = static_cast<double>(rank);
  }
  const Matrix root = lower_cholesky_or_empty(residual / out.N);
  if (root.size() == 0) return out;
  out.log_det = 2 * root.diagonal().array().log().sum();
  out.possible = true;
  return out;
}

double more_regressors_p(const TransitionSums& few, const TransitionSums& many) {
  const auto m = static_cast<double>(few.yy.rows());
  const Regression a = regress(few), b = regress(many);
  if (!a.possible || !b.possible || b.rank <= a.rank || a.N <= b.rank) return 1;
  return ratio_p(a.N * (a.log_det - b.log_det), a.N, b.rank, m * (b.rank - a.rank));
}

double two_parts_p(const TransitionSums& a, const TransitionSums& b) {
  TransitionSums both = a;
  both.N += b.N;
  both.rr += b.rr;
  both.yr += b.yr;
  both.yy += b.yy;
  const auto m = static_cast<double>(a.yy.rows());
  const Regression first = regress(a), second = regress(b), one = regress(both);
  const double estimated = first.rank + second.rank + 2 * m;
  if (!first.possible || !second.possible || !one.possible || one.N <= estimated) return 1;
  return ratio_p(one.N * one.log_det - first.N * first.log_det - second.N * second.log_det, one.N,
                 estimated, m * (first.rank + second.rank - one.rank) + m * (m + 1) / 2);
}

}  // namespace loopcert
