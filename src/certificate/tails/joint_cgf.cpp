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

// E_z Var(||M z||^2), Var over the tilted alpha, for z of mean m and covariance S. With Delta =
// M'M - E M'M and N = S + m m' it is E (tr Delta N)^2 + 2 E tr(Delta N Delta N) - 2 E (m'Delta
// m)^2.
double mean_variance(const Tilted& t, const Vector& m, const Matrix& S) {
  const Index d = t.d(), d_u = t.H.rows(), size = d * d_u;
  const Matrix N = S + m * m.transpose();
  const Matrix h = N * t.H.transpose(), W = t.H * h;  // d x d_u, d_u x d_u
  const Vector a = t.H * m;
  // N G for all blocks G at once: blocks are stacked in columns.
  Matrix NG(size, size), Gm(size, d_u), Gh(size, d_u);
  const Eigen::Map<const Matrix> stacked(t.Gamma.data(), d, d_u * size);
  Eigen::Map<Matrix>(NG.data(), d, d_u * size).noalias() = N * stacked;
  for (Index k = 0; k < d_u; ++k) {
    const auto G = t.Gamma.middleCols(k * d, d);
    Gm.col(k).noalias() = G * m;
    Gh.col(k).noalias() = G * h.col(k);
  }
  double sum = 0;
  Vector swapped(d);
  for (Index k = 0; k < d_u; ++k)
    for (Index i = 0; i <= k; ++i) {
      const auto Y = NG.block(i * d, k * d, d, d), other = NG.block(k * d, i * d, d, d);
      swapped.noalias() = t.block(i, k) * h.col(i);
      const double omega = Y.trace(), along = m.dot(Gm.col(k).segment(i * d, d));
      // <N G N, G + G'>, for N G' is `other`
      const double square = Y.cwiseProduct((Y + other).transpose()).sum();
      const double ends = h.col(i).dot(Gh.col(k).segment(i * d, d)) + h.col(k).dot(swapped);
      const double both = 4 * ends + 4 * W(i, k) * omega + 2 * square + 2 * omega * omega -
                          8 * a(i) * along * a(k) - 4 * along * along;
      sum += i == k ? both : 2 * both;
    }
  return std::max(sum, 0.0);
}

}  // namespace

struct JointCgf::Parts {
  const QuadraticForm& form;
  const Posterior& posterior;
  const LocalizedMoment& moment;
  Vector mean;  // of z
  Matrix covariance;
  Eigen::LLT<Matrix> P;
  Matrix directions;  // of X, for each of alpha's

  Tilted tilt(double lambda) const {
    const CausalPattern& pattern = form.pattern;
    const Index d_u = pattern.rows(), d_z = pattern.cols();
    // alpha = mean + directions eta, the precision of eta I - 2 lambda diag(gamma).
    const Vector precision = 1 - 2 * lambda * moment.gamma.array();
    const Vector step = 2 * lambda * moment.slope.cwiseQuotient(precision);
    const Matrix at = posterior.mean + unpack(pattern, moment.directions * step);
    const Matrix root = directions * precision.cwiseSqrt().cwiseInverse().asDiagonal();
    Tilted t;
    t.H = P.matrixL().solve(form.N_0 + form.P * at);
    t.Gamma = Matrix::Zero(d_u * d_z, d_u * d_z);
    t.Gamma.selfadjointView<Eigen::Lower>().rankUpdate(root);
    t.Gamma.triangularView<Eigen::StrictlyUpper>() = t.Gamma.transpose();
    t.K = gram(form, at);
    for (Index i = 0; i < d_u; ++i) t.K += t.block(i, i);
    return t;
  }
};

JointCgf::JointCgf(const QuadraticForm& form, const Posterior& posterior, const VectorView& mean,
                   const MatrixView& covariance, const LocalizedMoment& moment) {
  Parts parts{form, posterior, moment, mean, covariance, Eigen::LLT<Matrix>(form.P), {}};
  if (parts.P.info() != Eigen::Success)
    throw NumericsError("the cost is not definite in its inputs");
  const CausalPattern& pattern = form.pattern;
  const Index d_u = pattern.rows(), d_z = pattern.cols();
  const Matrix R = parts.P.matrixU();
  parts.directions = Matrix::Zero(d_u * d_z, moment.directions.cols());
  Index first = 0;
  for (Index j = 0; j < d_z; ++j) {  // a column of Z at a time
    const Index skip = std::min(pattern.first_row(j), d_u), count = d_u - skip;
    if (j < pattern.first_free_column() || j >= pattern.end_free_column() || count == 0) continue;
    const Matrix rows = R.middleCols(skip, count) * moment.directions.middleRows(first, count);
    for (Index i = 0; i < d_u; ++i) parts.directions.row(i * d_z + j) = rows.row(i);
    first += count;
  }
  parts_ = std::make_shared<const Parts>(std::move(parts));
}

double JointCgf::operator()(double lambda) const {
  const Parts& p = *parts_;
  const double log_moment = log_exponential_moment(p.moment, lambda);
  if (!std::isfinite(log_moment)) return log_moment;
  const Tilted t = p.tilt(lambda);
  // e^{-lambda z'Kz} is Gaussian: times the law of z it is a law of mean m and covariance S.
  const Eigen::PartialPivLU<Matrix> A(Matrix::Identity(t.d(), t.d()) +
                                      2 * lambda * p.covariance * t.K);
  const Matrix S = A.solve(p.covariance);
  const Vector m = A.solve(p.mean);
  const double log_phi =
      -0.5 * A.matrixLU().diagonal().array().abs().log().sum() - lambda * p.mean.dot(t.K * m);
  const double near = lambda * lambda * mean_variance(t, m, 0.5 * (S + S.transpose()));
  const double far = lambda * lambda * mean_variance(t, p.mean, p.covariance);
  // E e^{-lambda l} is at most 1, too.
  const double log_rest = log_phi + std::log1p(0.5 * near + 0.01 * far * std::exp(-log_phi));
  return log_moment + std::min(log_rest, 0.0);
}

double joint_cgf_bound(const QuadraticForm& form, const Posterior& posterior,
                       const VectorView& mean, const MatrixView& covariance,
                       const LocalizedMoment& moment, double lambda) {
  return JointCgf(form, posterior, mean, covariance, moment)(lambda);
}

}  // namespace loopcert
