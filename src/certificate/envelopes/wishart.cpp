#include "certificate/wishart.hpp"

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <map>
#include <mutex>
#include <tuple>

#include "core/check.hpp"

namespace loopcert {
namespace {

void check_arguments(Index d, Index n, double delta) {
  check_at_least("d", d, 1);
  check_at_least("n", n, 1);
  check_probability("delta", delta);
}

double compute_floor(Index d, Index n, double delta) {
  if (n <= d) return 0;
  const double cheap =
      std::max(wishart_floor_by_concentration(d, n, delta), wishart_floor_by_density(d, n, delta));
  return std::max(cheap, wishart_floor_exact(d, n, delta).value_or(0.0));
}

}  // namespace

double wishart_floor_by_concentration(Index d, Index n, double delta) {
  check_arguments(d, n, delta);
  const auto samples = static_cast<double>(n);
  const double s = 1 - std::sqrt(static_cast<double>(d) / samples) -
                   std::sqrt(2 * std::log(1 / delta) / samples);
  return s > 0 ? s * s : 0;
}

// The density of lambda_min(nW) is at most c x^{k-1} e^{-x/2} with k = (n-d+1)/2 and
//   c = 2^{(n-d-1)/2} Gamma((n+1)/2) / (Gamma(d/2) Gamma(n-d+1)),
// so P(lambda_min(nW) < x) <= c 2^k Gamma(k) P(k, x/2), P the regularized lower incomplete gamma.
double wishart_floor_by_density(Index d, Index n, double delta) {
  check_arguments(d, n, delta);
  if (n <= d) return 0;
  const auto m = static_cast<double>(n), gap = static_cast<double>(n - d);
  const double k = (gap + 1) / 2;
  const double log_c = (gap - 1) / 2 * std::log(2.0) + std::lgamma((m + 1) / 2) -
                       std::lgamma(static_cast<double>(d) / 2) - std::lgamma(gap + 1);
  const double log_p = std::log(delta) - log_c - k * std::log(2.0) - std::lgamma(k);
  if (log_p < -600) return 0;  // not worth the underflow: concentration is far better there
  return 2 * boost::math::gamma_p_inv(k, std::exp(std::min(log_p, -1e-15))) / m * (1 - 1e-9);
}

double wishart_floor(Index d, Index n, double delta) {
  check_arguments(d, n, delta);
  // A pure function's memory: sweeps ask for the same few numbers thousands of times.
  static std::mutex mutex;
  static std::map<std::tuple<Index, Index, double>, double> known;
  const std::tuple key(d, n, delta);
  const std::scoped_lock lock(mutex);
  const auto found = known.find(key);
  if (found != known.end()) return found->second;
  return known[key] = compute_floor(d, n, delta);
}

}  // namespace loopcert
