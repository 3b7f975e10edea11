#include "loopcert/certificate/sampled_cgf.hpp"

#include <algorithm>
#include <cmath>

#include "loopcert/certificate/cumulant.hpp"
#include "loopcert/core/check.hpp"

namespace loopcert {

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
  Vector saving(draws);
  for (Index i = 0; i < draws; ++i) {
    const Matrix Z = sample_posterior(posterior, stream, static_cast<std::uint64_t>(i));
    const WeightedResponse y =
        weighted_response(system.cost, system.sizes(), response_at(system, space, Z));
    const GaussianTrajectory trajectory = gaussian_trajectory(y.M, y.m, mean, covariance);
    const double majorant = r * chernoff_f(x_0) +
                            slope * (lambda * lambda * trajectory.s.squaredNorm() - r * x_0 * x_0) +
                            2 * lambda * lambda * trajectory.s.dot(trajectory.mu_sq);
    saving(i) = std::clamp(majorant - exact_gaussian_cgf(trajectory, lambda), 0.0, clip);
  }
  result.saving = std::max(0.0, empirical_bernstein_lower(saving, clip, delta));
  return result;
}

}  // namespace loopcert
