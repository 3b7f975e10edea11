#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/tools/roots.hpp>
#include <cmath>

#include "certificate/wishart.hpp"
#include "envelopes/wishart_pfaffian.hpp"

namespace loopcert {
namespace {

bool agree(double p, double q, double tolerance) { return std::abs(p - q) <= tolerance; }

// The root of P(lambda_min(W) < q) = delta between low and high, where twice as many bits agree.
template <unsigned bits>
std::optional<double> quantile(Index d, Index n, double delta, double low, double high) {
  const wishart::LowerTail<bits> coarse(d, n);
  const wishart::LowerTail<2 * bits> fine(d, n);
  const double tolerance = 1e-10 * delta;
  if (!agree(coarse(low), fine(low), tolerance)) return std::nullopt;
  const auto excess = [&](double log_q) { return fine(std::exp(log_q)) - delta; };
  std::uintmax_t steps = 100;
  const double left = std::log(low), right = std::log(high);
  const double at_left = excess(left), at_right = excess(right);
  if (!(at_left < 0 && at_right > 0)) return std::nullopt;
  const auto bracket = boost::math::tools::toms748_solve(
      excess, left, right, at_left, at_right, boost::math::tools::eps_tolerance<double>(40), steps);
  const double q = std::exp(bracket.first) * (1 - 1e-9);  // rounding stays on the safe side
  const double p = fine(q);
  if (!(p <= delta) || !agree(coarse(q), p, tolerance)) return std::nullopt;
  return q;
}

template <unsigned bits>
std::optional<double> checked_cdf(Index d, Index n, double q) {
  const double p = wishart::LowerTail<2 * bits>(d, n)(q);
  if (!agree(wishart::LowerTail<bits>(d, n)(q), p, 1e-12)) return std::nullopt;
  return p;
}

}  // namespace

std::optional<double> wishart_cdf(Index d, Index n, double q) {
  if (!(q > 0)) return 0.0;
  if (const auto p = checked_cdf<128>(d, n, q)) return p;
  if (const auto p = checked_cdf<256>(d, n, q)) return p;
  return checked_cdf<512>(d, n, q);
}

std::optional<double> wishart_floor_exact(Index d, Index n, double delta) {
  if (n <= d || d > wishart_exact_limit || n > wishart_exact_samples) return std::nullopt;
  const double low = (1 - 1e-6) * std::max(wishart_floor_by_density(d, n, delta),
                                           wishart_floor_by_concentration(d, n, delta));
  // lambda_min is at most the first diagonal entry, a chi-square over n.
  const auto samples = static_cast<double>(n);
  const double high = 2 * boost::math::gamma_p_inv(samples / 2, delta) / samples * (1 + 1e-6);
  if (const auto q = quantile<128>(d, n, delta, low, high)) return q;
  if (const auto q = quantile<256>(d, n, delta, low, high)) return q;
  return quantile<512>(d, n, delta, low, high);
}

}  // namespace loopcert
