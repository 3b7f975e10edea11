#include "certificate/complexity.hpp"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <limits>

#include "certificate/cumulant.hpp"
#include "core/check.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {

namespace {

// g(x) = x f'(x) - f(x), each branch free of cancellation on its side.
double stationarity(double x) {
  return x < 1 ? 2 * x * x / (1 + 2 * x) - chernoff_f(x)
               : 0.5 * std::log1p(2 * x) - x / (1 + 2 * x);
}

constexpr double largest_log = 300;  // of lambda sqrt(phi / r)
constexpr double largest_kappa = 0.95;

}  // namespace

double pac_bayes_weight(Index n, Index priors) {
  const auto samples = static_cast<double>(n);
  return priors > 1 ? std::min(samples - 1, largest_kappa * samples) : samples - 1;
}

double pac_bayes_rate(double kl, Index n, double delta, Index priors) {
  check_at_least("n", n, 2);
  check_probability("delta", delta);
  const double weight = pac_bayes_weight(n, priors), samples = static_cast<double>(n);
  return (kl + std::log(samples / (samples - weight) / delta)) / weight;
}

Complexity quadratic_complexity(double rate, double phi) {
  Complexity c;
  c.lambda = std::sqrt(rate / phi);
  c.value = 2 * std::sqrt(rate * phi);
  c.d_rate = 1 / c.lambda;
  c.d_phi = c.d_mean = c.lambda;
  return c;
}

Complexity rank_aware_complexity(double rate, double phi, double mean, Index rank) {
  const auto r = static_cast<double>(rank);
  const double s = std::sqrt(phi / r);
  // Stationarity of (rate + r f(lambda s) + lambda^2 mean) / lambda in x = lambda s:
  //   r g(x) + (x/s)^2 mean = rate,  g(x) = x f'(x) - f(x) = log(1 + 2x)/2 - x/(1 + 2x),
  // increasing in x; the quadratic solution lies below the root because f(x) <= x^2.
  const double m = mean / (s * s);
  const auto excess = [&](double log_x) {
    const double x = std::exp(log_x);
    return r * stationarity(x) + m * x * x - rate;
  };
  double low = 0.5 * std::log(rate / (r + m)), high = low + 1;
  while (excess(low) > 0) low -= 1;
  while (excess(high) < 0 && high < largest_log) high += 2;
  // A huge KL puts the root beyond any number; the bound is flat out there.
  double log_x = largest_log;
  if (excess(high) >= 0) {
    boost::math::tools::eps_tolerance<double> tolerance(52);
    std::uintmax_t steps = 200;
    log_x = boost::math::tools::toms748_solve(excess, low, high, tolerance, steps).first;
  }
  const double x = std::exp(log_x);
  Complexity c;
  c.lambda = x / s;
  // Any lambda gives a valid bound: the value is computed at the lambda found.
  c.value = (rate + r * chernoff_f(x)) / c.lambda + c.lambda * mean;
  c.d_rate = 1 / c.lambda;
  c.d_phi = c.lambda / (1 + 2 * x);
  c.d_mean = c.lambda;
  return c;
}

Complexity general_complexity(double rate, const std::function<double(double)>& psi, double end,
                              const std::function<double(double)>& above) {
  constexpr double worst = std::numeric_limits<double>::max();
  const double limit = std::isfinite(end) ? std::log(end) : 700.0;
  const auto objective = [&](double log_lambda) {
    const double lambda = std::exp(log_lambda);
    const double value = log_lambda < limit ? (rate + psi(lambda)) / lambda : worst;
    return std::isfinite(value) ? value : worst;
  };
  // psi increases: where it meets the rate is the minimum if it is quadratic, and near it if not.
  double low = -700, high = limit;
  while (high - low > 0.5) {
    const double middle = low + (high - low) / 2;
    const double lambda = std::exp(middle);
    const bool below = (above && above(lambda) < rate) || psi(lambda) < rate;
    (below ? low : high) = middle;
  }
  // mu (rate + psi(1/mu)) is convex in mu = 1/lambda: in log lambda, too, the bound falls and then
  // rises. Steps that grow find both sides of the valley.
  double best = low, best_value = objective(low);
  const auto walk = [&](double direction) {
    double step = 0.5, place = best + direction * step;
    for (double value = objective(place); value < best_value; value = objective(place)) {
      best = place;
      best_value = value;
      step *= 1.5;
      place += direction * step;
    }
    return place;
  };
  high = std::min(walk(+1), limit);
  low = walk(-1);
  std::uintmax_t steps = 200;
  const auto found = boost::math::tools::brent_find_minima(
      objective, low, high, std::numeric_limits<double>::digits, steps);
  Complexity c;
  c.value = std::min(found.second, best_value);
  c.lambda = std::exp(found.second <= best_value ? found.first : best);
  c.d_rate = 1 / c.lambda;
  if (!std::isfinite(c.value) || c.value == worst)
    throw NumericsError("no lambda gives a finite bound");
  return c;
}

}  // namespace loopcert
