#include "certificate/tails.hpp"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>

#include "core/check.hpp"

namespace loopcert {
namespace {

constexpr double outwards = 1e-12;  // Boost's quantiles are good to a few units in the last place

void check(Index n, double delta) {
  check_at_least("n", n, 1);
  check_probability("delta", delta);
}

double rate_of(Index n, double delta) { return 2 * std::log(1 / delta) / static_cast<double>(n); }

// The end of the bracket of an increasing function's root on [0, high] where it is positive.
double root_from_above(const std::function<double(double)>& excess, double high) {
  std::uintmax_t steps = 200;
  return boost::math::tools::toms748_solve(excess, 0.0, high,
                                           boost::math::tools::eps_tolerance<double>(52), steps)
      .second;
}

}  // namespace

double scale_free_factor(Index n, double delta) {
  check(n, delta);
  const double target = 2 * std::log(1 / delta) / static_cast<double>(n);
  // In u = -log x > 0: exp(-u) - 1 + u = target, increasing in u.
  const auto excess = [&](double u) { return std::expm1(-u) + u - target; };
  // The larger u is the smaller x: the larger bound.
  return std::exp(-root_from_above(excess, std::sqrt(2 * target) + target + 1));
}

double scale_free_upper_factor(Index n, double delta) {
  check(n, delta);
  const double target = rate_of(n, delta);
  // In u = x - 1 > 0: u - log(1 + u) = target, increasing in u.
  const auto excess = [&](double u) { return u - std::log1p(u) - target; };
  return 1 + root_from_above(excess, 2 * std::sqrt(target) + 2 * target + 1);
}

double scale_free_ratio_factor(Index n, double delta) {
  check(n, delta);
  // 4x/(1+x)^2 = delta^(2/n) = 1 - q^2 at x = (1-q)/(1+q), and 1 - q^2 = (1-q)(1+q).
  const double kept = std::exp(-rate_of(n, delta));
  const double q = std::sqrt(-std::expm1(-rate_of(n, delta)));
  return kept / ((1 + q) * (1 + q)) * (1 - outwards);
}

double centred_factor(Index n, double delta) {
  check(n, delta);
  const auto m = static_cast<double>(n);
  const double x = boost::math::quantile(boost::math::chi_squared(m), delta) / m;
  return std::min(x, 1.0) * (1 - outwards);
}

double frobenius_factor(Index n, double delta) {
  const double single = 1 / centred_factor(n, delta) - 1;
  return n == 1 ? single : std::max(single, std::numbers::sqrt2 / static_cast<double>(n));
}

double centred_upper_factor(Index n, double delta) {
  check(n, delta);
  const auto m = static_cast<double>(n);
  const double x =
      boost::math::quantile(boost::math::complement(boost::math::chi_squared(m), delta)) / m;
  return std::max(x, 1 + 2 / m) * (1 + outwards);
}

double centred_ratio_factor(Index n, double delta) {
  const double any_mean = scale_free_ratio_factor(n, delta);
  if (n < 3) return any_mean;
  const auto m = static_cast<double>(n);
  const double x = boost::math::quantile(boost::math::fisher_f(m, m), delta);
  return std::max(any_mean, std::min(x, (m - 2) / (m + 2)) * (1 - outwards));
}

}  // namespace loopcert
