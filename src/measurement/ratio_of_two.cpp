#include "measurement/ratio_of_two.hpp"

#include <algorithm>
#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <cstdint>

#include "core/check.hpp"

namespace loopcert {
namespace {

constexpr double outwards_ratio = 1e-12;  // Boost's quantiles are good to the last few digits

}  // namespace

double scale_free_ratio_of_two(Index n_P, Index n_N, double delta) {
  check_at_least("n", n_P, 1);
  check_at_least("n", n_N, 1);
  check_probability("delta", delta);
  const double p = static_cast<double>(n_P) / 2, q = static_cast<double>(n_N) / 2;
  const double target = std::log(1 / delta);
  // In u = -log x: p u + (p + q) log((x p + q)/(p + q)) = target, increasing in u.
  const auto excess = [&](double u) {
    return p * u + (p + q) * std::log1p(p * std::expm1(-u) / (p + q)) - target;
  };
  double high = 1;
  while (excess(high) < 0) high *= 2;
  std::uintmax_t steps = 200;
  const double u = boost::math::tools::toms748_solve(
                       excess, 0.0, high, boost::math::tools::eps_tolerance<double>(52), steps)
                       .second;
  return std::exp(-u) * (1 - outwards_ratio);
}

double centred_ratio_of_two(Index n_P, Index n_N, double delta) {
  const double any_mean = scale_free_ratio_of_two(n_P, n_N, delta);
  if (n_P < 3) return any_mean;
  const auto p = static_cast<double>(n_P), q = static_cast<double>(n_N);
  const double x = boost::math::quantile(boost::math::fisher_f(p, q), delta);
  return std::max(any_mean, std::min(x, (1 - 2 / p) / (1 + 2 / q)) * (1 - outwards_ratio));
}

}  // namespace loopcert
