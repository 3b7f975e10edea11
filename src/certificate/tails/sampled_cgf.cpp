#include "certificate/sampled_cgf.hpp"

#include <algorithm>
#include <cmath>

#include "certificate/cumulant.hpp"
#include "core/check.hpp"
#include "core/linalg.hpp"
#include "response/space.hpp"

namespace loopcert {
namespace {

// y at Z is M w + m with M = M_0 + S Z: of a draw only what depends on Z is computed.
class Draws {
 public:
  Draws(const System& system, const ResponseSpace& space, const Posterior& posterior,
        const VectorView& mean, const MatrixView& covariance, const Stream& stream)
      : posterior_(posterior), stream_(stream), deviation_(posterior.variance.cwiseSqrt()) {
    const CausalPattern& pattern = space.coordinates.pattern;
    const Sizes sizes = system.sizes();
    const WeightedResponse y = weighted_response(
        system.cost, sizes,
        response_at(system, space.coordinates, Matrix::Zero(pattern.rows(), pattern.cols())));
    const Matrix W = covariance_factor(covariance);  // W W' = covariance
    X_0_.resize(sizes.d_xu(), W.cols() + 1);         // mu_y in the last column
    X_0_ << y.M * W, y.M * mean + y.m;
    V_ = Matrix::Zero(pattern.cols(), X_0_.cols());
    V_.bottomRows(sizes.d_w()) << W, mean;
    if (pattern.constant) V_(0, W.cols()) = 1;
    S_.resize(sizes.d_xu(), sizes.d_u());
    S_ << apply_sqrt_Q(system.cost, sizes, space.coordinates.G_T),
        apply_sqrt_R(system.cost, sizes, space.coordinates.T_u);
    Z_.resize(pattern.rows(), pattern.cols());
  }

  const GaussianGram& draw(Index i) {
    fill_standard_normal(stream_, static_cast<std::uint64_t>(i),
                         {Z_.data(), static_cast<size_t>(Z_.size())});
    Z_ = deviation_.cwiseProduct(Z_).eval();
    if (posterior_.frame) Z_ = apply_frame(*posterior_.frame, Z_);
    Z_ += posterior_.mean;
    ZV_.noalias() = Z_ * V_;
    X_ = X_0_;
    X_.noalias() += S_ * ZV_;
    const Index rank = X_.cols() - 1;
    y_.G.noalias() = X_.leftCols(rank).transpose() * X_.leftCols(rank);
    y_.g.noalias() = X_.leftCols(rank).transpose() * X_.col(rank);
    return y_;
  }

 private:
  const Posterior& posterior_;
  Stream stream_;
  Matrix deviation_, X_0_, S_, V_;  // V_: what Z is multiplied with
  Matrix Z_, ZV_, X_;
  GaussianGram y_;
};

}  // namespace

double empirical_bernstein_lower(const VectorView& values, double b, double delta) {
  check_at_least("draws", values.size(), 2);
  const auto N = static_cast<double>(values.size());
  const double mean = values.mean();
  const double variance = (values.array() - mean).square().sum() / (N - 1);
  const double log_term = std::log(2 / delta);
  return mean - std::sqrt(2 * variance * log_term / N) - 7 * b * log_term / (3 * (N - 1));
}

SampledCgf sampled_cgf(const System& system, const ResponseSpace& space, const Posterior& posterior,
                       const VectorView& mean, const MatrixView& covariance, double lambda,
                       double C_rho, double mean_term, double delta, Index draws,
                       const Stream& stream) {
  const auto r = static_cast<double>(mean.size());
  const double x_0 = lambda * std::sqrt(C_rho / r);  // sqrt(q_0)
  const double slope = 1 / (1 + 2 * x_0);            // h'(q_0)
  SampledCgf result;
  result.closed_form = r * chernoff_f(x_0) + lambda * lambda * mean_term;
  const double clip = result.closed_form;  // fixed by the posterior, before any draw
  Draws posterior_draws(system, space, posterior, mean, covariance, stream);
  Vector saving(draws);
  for (Index i = 0; i < draws; ++i) {
    const GaussianGram& trajectory = posterior_draws.draw(i);
    const double majorant = r * chernoff_f(x_0) +
                            slope * (lambda * lambda * trajectory.G.squaredNorm() - r * x_0 * x_0) +
                            2 * lambda * lambda * trajectory.g.squaredNorm();
    saving(i) = std::clamp(majorant - exact_gaussian_cgf(trajectory, lambda), 0.0, clip);
  }
  result.saving = std::max(0.0, empirical_bernstein_lower(saving, clip, delta));
  return result;
}

}  // namespace loopcert
