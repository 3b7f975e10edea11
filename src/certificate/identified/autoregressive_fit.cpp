#include "certificate/autoregressive_fit.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

#include "certificate/autoregressive.hpp"
#include "core/linalg.hpp"
#include "data/shrunk_moment.hpp"

namespace loopcert {
namespace {

struct Fitted {
  double criterion = std::numeric_limits<double>::infinity();
  Matrix coefficients;  // in omega, m x p m
};

// N log det(residual / N) + 2 (coefficients) N / (N - p m - m - 1).
Fitted fitted(const TransitionSums& sums, Index p, Index m) {
  const double N = static_cast<double>(sums.N), spare = N - static_cast<double>((p + 1) * m + 1);
  Matrix residual = sums.yy;
  Fitted found;
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

// Coefficients over disturbances.
Matrix over_states(const Matrix& coefficients, const Support& support) {
  const Index m = support.size(), n_w = support.basis.rows(), p = coefficients.cols() / m;
  Matrix Phi(n_w, p * n_w);
  for (Index j = 0; j < p; ++j)
    Phi.middleCols(j * n_w, n_w) =
        support.basis * coefficients.middleCols(j * m, m) * support.inverse;
  return Phi;
}

// Of step t alone, with all lags that there are.
TransitionSums sums_at(const Evidence& evidence, const Sizes& sizes, Index t,
                       const Support& support) {
  TransitionSums sums = autoregressive_sums(evidence, sizes, t, t, support);
  const TransitionSums later = autoregressive_sums(evidence, sizes, t, t + 1, support);
  sums.N -= later.N;
  sums.rr -= later.rr;
  sums.yr -= later.yr;
  sums.yy -= later.yy;
  return sums;
}

// Nothing but the first lags of the model, or coefficients of its own.
Matrix fit_step(const Evidence& evidence, const Sizes& sizes, Index t, const Support& support,
                const Matrix& model) {
  const Index m = support.size();
  const TransitionSums sums = sums_at(evidence, sizes, t, support);
  const Matrix kept = model.leftCols(t * m), cross = kept * sums.yr.transpose();
  const Matrix left = sums.yy - cross - cross.transpose() + kept * sums.rr * kept.transpose();
  const Matrix root = lower_cholesky_or_empty(left / static_cast<double>(sums.N));
  const Fitted own = fitted(sums, t, m);
  const bool better =
      std::isfinite(own.criterion) && root.size() > 0 &&
      own.criterion < 2 * static_cast<double>(sums.N) * root.diagonal().array().log().sum();
  return better ? own.coefficients : kept;
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
  Matrix model;  // in omega
  for (Index p = 0; p <= most; ++p) {
    // The same transitions for each p, so that the criteria compare.
    const Fitted found = fitted(autoregressive_sums(evidence, sizes, p, most, support), p, m);
    fit.criterion.push_back(found.criterion);
    if (!(found.criterion < best)) continue;
    best = found.criterion;
    fit.Phi =
        p == 0 ? Matrix(Matrix::Zero(sizes.n_w, 0)) : over_states(found.coefficients, support);
    model = found.coefficients;
  }
  for (Index t = 1; t < fit.lags(); ++t)
    fit.first.push_back(over_states(fit_step(evidence, sizes, t, support, model), support));
  return fit;
}

Matrix autoregressive_moment(const AutoregressiveFit& fit, const MatrixView& Sigma_hat,
                             const Sizes& sizes) {
  const Index n_w = sizes.n_w, T = sizes.T, p = fit.lags(), d = sizes.d_w();
  const Matrix seen = Sigma_hat.bottomRightCorner(d, d);
  const auto at = [&](Index t) { return (t + 1) * n_w; };  // w_t; x_0 is before all of them
  // (w_{t-1}, ..., w_{t-p}) in the order of Phi.
  const auto past = [&](Index t) {
    Matrix pick = Matrix::Zero(p * n_w, d);
    for (Index j = 0; j < p; ++j) pick.block(j * n_w, at(t - 1 - j), n_w, n_w).setIdentity();
    return pick;
  };
  Matrix left = Matrix::Zero(n_w, n_w);  // covariance of v, pooled over steps
  for (Index t = p; t < T; ++t) {
    Matrix rest = Matrix::Zero(n_w, d);
    rest.middleCols(at(t), n_w).setIdentity();
    if (p > 0) rest -= fit.Phi * past(t);
    left += rest * seen * rest.transpose() / static_cast<double>(T - p);
  }
  const Index first = (p + 1) * n_w;  // x_0, w_0, ..., w_{p-1}
  constexpr double shrink = 0.1;      // of what links these steps: few numbers, few data
  Matrix Sigma = Matrix::Zero(d, d);
  Sigma.topLeftCorner(first, first) =
      shrunk_moment(seen.topLeftCorner(first, first), false, n_w, shrink);
  for (Index t = p; t < T; ++t) {
    const Index now = at(t);
    if (p > 0) {
      const Matrix map = fit.Phi * past(t).leftCols(now);  // n_w x now
      const Matrix cross = map * Sigma.topLeftCorner(now, now);
      Sigma.block(now, 0, n_w, now) = cross;
      Sigma.block(0, now, now, n_w) = cross.transpose();
      Sigma.block(now, now, n_w, n_w) = cross * map.transpose();
    }
    Sigma.block(now, now, n_w, n_w) += left;
  }
  return Sigma;
}

}  // namespace loopcert
