#include "certificate/gaussian.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/check.hpp"
#include "core/text.hpp"
#include "loopcert/core/error.hpp"

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
      if (const double v = posterior.variance(i, j); !(v > 0))
        check_positive(fmt::format("posterior.variance[{}][{}]", i, j), v);
}

double kl_divergence(const Posterior& posterior, const Prior& prior, const CausalPattern& pattern,
                     Index first, Index count) {
  const double inverse = 1 / (prior.scale * prior.scale);
  // Logarithms of many at once: columns may be shorter than a vector register.
  constexpr Index size = 256;
  Eigen::Array<double, size, 1> v;
  Index filled = 0;
  double sum = 0;
  const auto add_variances = [&] {
    const auto part = v.head(filled);
    sum += (part - 1 - part.log()).sum();
    filled = 0;
  };
  for (Index j = first; j < first + count; ++j) {
    const Index begin = std::min(pattern.first_row(j), pattern.rows());
    const Index free = pattern.rows() - begin;
    sum += inverse * (posterior.mean.col(j) - prior.center.col(j)).tail(free).squaredNorm();
    for (Index i = begin; i < pattern.rows();) {
      const Index some = std::min(size - filled, pattern.rows() - i);
      v.segment(filled, some) = posterior.variance.col(j).segment(i, some).array() * inverse;
      filled += some;
      i += some;
      if (filled == size) add_variances();
    }
  }
  add_variances();
  return 0.5 * sum;
}

double kl_divergence(const Posterior& posterior, const Prior& prior, const CausalPattern& pattern) {
  return kl_divergence(posterior, prior, pattern, 0, pattern.cols());
}

Matrix sample_posterior(const Posterior& posterior, const Stream& stream, std::uint64_t index) {
  Matrix Z(posterior.mean.rows(), posterior.mean.cols());
  fill_standard_normal(stream, index, {Z.data(), static_cast<size_t>(Z.size())});
  return posterior.mean + posterior.variance.cwiseSqrt().cwiseProduct(Z);
}

}  // namespace loopcert
