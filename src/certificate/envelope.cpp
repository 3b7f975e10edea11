#include "loopcert/certificate/envelope.hpp"

#include <cmath>

#include "loopcert/core/check.hpp"

namespace loopcert {

double covariance_radius(double scale, Index d, Index n, double delta) {
  check_positive("scale", scale);
  check_probability("delta", delta);
  const auto samples = static_cast<double>(n);
  const double a =
      std::sqrt(static_cast<double>(d) / samples) + std::sqrt(2 * std::log(2 / delta) / samples);
  return scale * (2 * a + a * a);
}

double mean_radius(double scale, Index d, Index n, double delta) {
  check_positive("scale", scale);
  check_probability("delta", delta);
  const auto samples = static_cast<double>(n);
  return std::sqrt(scale) * (std::sqrt(static_cast<double>(d) / samples) +
                             std::sqrt(2 * std::log(1 / delta) / samples));
}

}  // namespace loopcert
