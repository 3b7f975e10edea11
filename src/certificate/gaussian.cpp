#include "loopcert/certificate/gaussian.hpp"

#include <fmt/format.h>

#include <cmath>

#include "loopcert/core/check.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/core/text.hpp"

namespace loopcert {
namespace {

void check_zero_off_pattern(const std::string& name, const Matrix& value,
                            const CausalPattern& pattern) {
  for (Index j = 0; j < pattern.cols(); ++j)
    for (Index i = 0; i < pattern.first_row(j); ++i)
      if (value(i, j) != 0)
        throw_input_error(fmt::format("{}[{}][{}]", name, i, j), number_text(value(i, j)),
                          "0: this entry is not causal");
}

}  // namespace

void check_prior(const Prior& prior, const CausalPattern& pattern) {
  check_size("prior.center", prior.center, pattern.rows(), pattern.cols());
  check_finite("prior.center", prior.center);
  check_zero_off_pattern("prior.center", prior.center, pattern);
  check_positive("prior.scale", prior.scale);
}

void check_posterior(const Posterior& posterior, const CausalPattern& pattern) {
  check_size("posterior.mean", posterior.mean, pattern.rows(), pattern.cols());
  check_size("posterior.variance", posterior.variance, pattern.rows(), pattern.cols());
  check_finite("posterior.mean", posterior.mean);
  check_finite("posterior.variance", posterior.variance);
  check_zero_off_pattern("posterior.mean", posterior.mean, pattern);
  check_zero_off_pattern("posterior.variance", posterior.variance, pattern);
  for (Index j = 0; j < pattern.cols(); ++j)
    for (Index i = pattern.first_row(j); i < pattern.rows(); ++i)
      if (const double V = posterior.variance(i, j); !(V > 0))  // names are made for messages only
        check_positive(fmt::format("posterior.variance[{}][{}]", i, j), V);
}

double kl_divergence(const Posterior& posterior, const Prior& prior, const CausalPattern& pattern) {
  const double inverse = 1 / (prior.scale * prior.scale);
  double sum = 0;
  for (Index j = 0; j < pattern.cols(); ++j) {
    const Index free = pattern.rows() - pattern.first_row(j);
    const auto v = posterior.variance.col(j).tail(free).array() * inverse;
    const auto shift = (posterior.mean.col(j) - prior.center.col(j)).tail(free);
    sum += (v - 1 - v.log()).sum() + shift.squaredNorm() * inverse;
  }
  return 0.5 * sum;
}

double kl_divergence(const Posterior& posterior, const Prior& prior, const CausalPattern& pattern,
                     double weight, Matrix& d_mean, Matrix& d_variance) {
  const double inverse = 1 / (prior.scale * prior.scale);
  for (Index j = 0; j < pattern.cols(); ++j) {
    const Index free = pattern.rows() - pattern.first_row(j);
    const auto v = posterior.variance.col(j).tail(free).array();
    d_mean.col(j).tail(free) +=
        weight * inverse * (posterior.mean.col(j) - prior.center.col(j)).tail(free);
    d_variance.col(j).tail(free).array() += 0.5 * weight * (inverse - v.inverse());
  }
  return kl_divergence(posterior, prior, pattern);
}

Matrix sample_posterior(const Posterior& posterior, const Stream& stream, std::uint64_t index) {
  Matrix Z(posterior.mean.rows(), posterior.mean.cols());
  fill_standard_normal(stream, index, {Z.data(), static_cast<size_t>(Z.size())});
  return posterior.mean + posterior.variance.cwiseSqrt().cwiseProduct(Z);
}

}  // namespace loopcert
