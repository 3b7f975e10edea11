#include "learning/autoregressive_fit.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

#include "certificate/autoregressive.hpp"
#include "core/linalg.hpp"

namespace loopcert {
namespace {

struct Candidate {
  double criterion = std::numeric_limits<double>::infinity();
  Matrix coefficients;  // in omega, m x p m
};

// N log det(residual / N) + 2 (coefficients) N / (N - p m - m - 1).
Candidate candidate(const TransitionSums& sums, Index p, Index m) {
  const double N = static_cast<double>(sums.N), spare = N - static_cast<double>((p + 1) * m + 1);
  Matrix residual = sums.yy;
  Candidate found;
  if (p > 0) {
    const Matrix L = lower_cholesky_or_empty(sums.rr);
    if (L.size() == 0 || spare < 1) return found;
    const Matrix half = L.triangularView<Eigen::Lower>().solve(Matrix(sums.yr.transpose()));
    found.coefficients = L.transpose().triangularView<Eigen::Upper>().solve(half).transpose();
    residual -= half.transpose() * half;
  }
  const Matrix root = lower_cholesky_or_empty(residual / N);
  if (root.size() == 0) return found;
  found.criterion = 2 * N * root.diagonal().array().log().sum() +
                    2 * static_cast<double>(m * m * p) * N / std::max(spare, 1.0);
  return found;
}

}  // namespace

AutoregressiveFit fit_autoregressive(const Evidence& evidence, const Sizes& sizes, Index most) {
  AutoregressiveFit fit;
  fit.Phi = Matrix::Zero(sizes.n_w, 0);
  const Support support = disturbance_support(evidence, sizes);
  const Index m = support.size();
  most = std::min(most, sizes.T - 1);
  if (m == 0 || most < 1) return fit;
  double best = std::numeric_limits<double>::infinity();
  for (Index p = 0; p <= most; ++p) {
    // The same transitions for each p, so that the criteria compare.
    const Candidate found = candidate(autoregressive_sums(evidence, sizes, p, most, support), p, m);
    fit.criterion.push_back(found.criterion);
    if (!(found.criterion < best)) continue;
    best = found.criterion;
    fit.Phi = Matrix::Zero(sizes.n_w, p * sizes.n_w);
    for (Index j = 0; j < p; ++j)
      fit.Phi.middleCols(j * sizes.n_w, sizes.n_w) =
          support.basis * found.coefficients.middleCols(j * m, m) * support.inverse;
  }
  return fit;
}

}  // namespace loopcert
