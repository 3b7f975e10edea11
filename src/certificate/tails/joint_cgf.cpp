// The joint cumulant log E_{rho, w} exp(lambda (L - l)) from above, in closed form
// (docs/theory/posterior-localized.md). With rho tilted by e^{lambda L},
//   exp(joint) = E_rho e^{lambda L} E_{tilted, w} e^{-lambda l},
// and for a given w the cost l is quadratic in a Gaussian alpha, of mean x and variance V there:
//   E_tilted e^{-lambda l} <= e^{-lambda x} + lambda^2 V (e^{-lambda x}/2 + 1/100).
#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "certificate/localized.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

// rho tilted by e^{lambda L}, in coordinates X = R (Z - mean), P = R'R, in which the cost of a step
// is ||X z||^2. Gamma(i d_z + j, k d_z + l) = Cov(X_ij, X_kl).
struct Tilted {
  Matrix H;      // R^-T (N_0 + P mean)
  Matrix Gamma;  // d_u d_z square
  Matrix K;      // E M'M

  auto block(Index i, Index k) const { return Gamma.block(i * d(), k * d(), d(), d()); }
  Index d() const { return H.cols(); }
};

Tilted tilt(const QuadraticForm& form, const Posterior& posterior, const LocalizedMoment& moment,
            double lambda) {
  const CausalPattern& pattern = form.pattern;
  const Index d_u = pattern.rows(), d_z = pattern.cols();
  // alpha = mean + directions eta, the precision of eta I - 2 lambda diag(gamma).
  const Vector precision = 1 - 2 * lambda * moment.gamma.array();
  const Vector step = 2 * lambda * moment.slope.cwiseQuotient(precision);
  const Matrix mean = posterior.mean + unpack(pattern, moment.directions * step);
  const Matrix root = moment.directions * precision.cwiseSqrt().cwiseInverse().asDiagonal();
  const Matrix covariance = root * root.transpose();

  const Eigen::LLT<Matrix> P(form.P);
  if (P.info() != Eigen::Success) throw NumericsError("the cost is not definite in its inputs");
  const Matrix R = P.matrixU();
  Tilted t;
  t.H = P.matrixL().solve(form.N_0 + form.P * mean);
  t.Gamma = Matrix::Zero(d_u * d_z, d_u * d_z);
  // Both sides of the covariance from alpha to X, a column of Z at a time.
  Matrix half = Matrix::Zero(d_u * d_z, form.p());
  const auto spread_rows = [&](const Matrix& from, Matrix& to) {
    Index first = 0;
    for (Index j = 0; j < d_z; ++j) {
      const Index skip = std::min(pattern.first_row(j), d_u), count = d_u - skip;
      if (j < pattern.first_free_column() || j >= pattern.end_free_column() || count == 0) continue;
      const Matrix rows = R.middleCols(skip, count) * from.middleRows(first, count);
      for (Index i = 0; i < d_u; ++i) to.row(i * d_z + j) = rows.row(i);
      first += count;
    }
  };
  spread_rows(covariance, half);
  spread_rows(half.transpose(), t.Gamma);
  t.K = gram(form, mean);
  for (Index i = 0; i < d_u; ++i) t.K += t.block(i, i);
  return t;
}

// E_z Var(||M z||^2), Var over the tilted alpha, for z of mean m and covariance S. With Delta =
// M'M - E M'M and N = S + m m' it is E (tr Delta N)^2 + 2 E tr(Delta N Delta N) - 2 E (m'Delta
// m)^2.
double mean_variance(const Tilted& t, const Vector& m, const Matrix& S) {
  const Matrix N = S + m * m.transpose();
  const Matrix h = t.H * N, W = h * t.H.transpose();
  const Vector a = t.H * m;
  double sum = 0;
  for (Index k = 0; k < t.H.rows(); ++k)
    for (Index i = 0; i <= k; ++i) {
      const Matrix G = t.block(i, k), G_swapped = G + G.transpose();
      const double omega = G.cwiseProduct(N).sum(), along = m.dot(G * m);
      const double both = 4 * h.row(i).dot(G_swapped * h.row(k).transpose()) + 4 * W(i, k) * omega +
                          2 * (N * G * N).cwiseProduct(G_swapped).sum() + 2 * omega * omega -
                          8 * a(i) * along * a(k) - 4 * along * along;
      sum += i == k ? both : 2 * both;
    }
  return std::max(sum, 0.0);
}

}  // namespace

double joint_cgf_bound(const QuadraticForm& form, const Posterior& posterior,
                       const VectorView& mean, const MatrixView& covariance,
                       const LocalizedMoment& moment, double lambda) {
  const double log_moment = log_exponential_moment(moment, lambda);
  if (!std::isfinite(log_moment)) return log_moment;
  const Tilted t = tilt(form, posterior, moment, lambda);
  // e^{-lambda z'Kz} is Gaussian: times the law of z it is a law of mean m and covariance S.
  const Eigen::PartialPivLU<Matrix> A(Matrix::Identity(t.d(), t.d()) +
                                      2 * lambda * covariance * t.K);
  const Matrix S = A.solve(covariance);
  const Vector m = A.solve(mean);
  const double log_phi =
      -0.5 * A.matrixLU().diagonal().array().abs().log().sum() - lambda * mean.dot(t.K * m);
  const double near = lambda * lambda * mean_variance(t, m, 0.5 * (S + S.transpose()));
  const double far = lambda * lambda * mean_variance(t, mean, covariance);
  // E e^{-lambda l} is at most 1, too.
  const double log_rest = log_phi + std::log1p(0.5 * near + 0.01 * far * std::exp(-log_phi));
  return log_moment + std::min(log_rest, 0.0);
}

}  // namespace loopcert
