#include "certificate/second_moment.hpp"

#include <cmath>

#include "core/check.hpp"

namespace loopcert {

double second_moment_radius(double norm_hat, double reach, Index d, Index n, double delta) {
  check_at_least("n", n, 1);
  check_probability("delta", delta);
  const double c = 2 * reach * std::log(static_cast<double>(d) / delta) / static_cast<double>(n);
  return (c + std::sqrt(c * c + 4 * c * norm_hat)) / 2;  // eps^2 = c (norm_hat + eps)
}

}  // namespace loopcert
