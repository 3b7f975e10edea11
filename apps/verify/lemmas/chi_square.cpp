// docs/theory/chi-square.md, fixed-response.md, improvement.md: costs and multiples of their mean.
#include <arb_hypgeom.h>

#include <algorithm>
#include <cmath>

#include "lemmas/lemmas.hpp"

namespace verify {
namespace {

// Bisection at the working precision; nothing when the balls are too wide to find the place.
std::optional<double> bisect(const std::function<Ball(double)>& excess, double high) {
  double low = high;
  for (int steps = 0; !(upper(excess(low)) <= 0); ++steps, low /= 2) {
    if (steps > 200) return std::nullopt;
    high = low;
  }
  if (low == high) return low;
  while (high - low > 1e-14 * low) {
    const double middle = low + (high - low) / 2;
    (upper(excess(middle)) <= 0 ? low : high) = middle;
  }
  // If it is not certain that the next number is too large, a larger one may exist.
  return lower(excess(high)) > 0 ? std::optional(low) : std::nullopt;
}

Ball rate_of(long n, double delta) { return 2 * log(1 / Ball(delta)) / n; }

}  // namespace

double largest_with(const std::function<Ball(double)>& excess, double high) {
  return with_more_bits([&] { return bisect(excess, high); }, "a quantile");
}

// Upwards from Gamma(1, x) or Gamma(1/2, x) only positive numbers are added.
std::vector<Ball> gamma_ladder(double first, const Ball& x, long count) {
  const bool whole = std::floor(first) == first;
  double s = whole ? 1 : 0.5;
  Ball value = exp(-x), term = x * value;  // x^s e^-x
  if (!whole) {
    const Ball root = sqrt(x);
    term = root * value;
    arb_hypgeom_erfc(value.x, root.x, bits);
    Ball pi;
    arb_const_pi(pi.x, bits);
    value = sqrt(pi) * value;
  }
  std::vector<Ball> ladder;
  for (; static_cast<long>(ladder.size()) < count; s += 1) {
    if (s >= first) ladder.push_back(value);
    value = s * value + term;
    term = term * x;
  }
  return ladder;
}

// P(G > x) of a gamma variable G with shape k.
Ball gamma_above(double k, const Ball& x) { return gamma_ladder(k, x, 1)[0] / exp(log_gamma(k)); }

Ball gamma_below(double k, const Ball& x) { return 1 - gamma_above(k, x); }

double chi_square_below(long n, double delta) {
  const auto excess = [&](double x) {
    return gamma_below(static_cast<double>(n) / 2, n * Ball(x) / 2) - delta;
  };
  return largest_with(excess, 1);
}

// From sqrt(2)/n on; of a single draw, from zero on.
double spread_factor(long n, double delta) {
  const double single = upper(1 / Ball(chi_square_below(n, delta)) - 1);
  return n == 1 ? single : std::max(single, upper(sqrt(Ball(2)) / n));
}

// In 1/x, from x = 1 + 2/n on.
double chi_square_above(long n, double delta) {
  const auto excess = [&](double y) {
    return gamma_above(static_cast<double>(n) / 2, n / (2 * Ball(y))) - delta;
  };
  return upper(1 / Ball(largest_with(excess, lower(n / Ball(n + 2)))));
}

// The quantile of F(n, n), up to (n-2)/(n+2), or what holds for any mean.
double chi_square_ratio(long n, double delta) {
  const double any_mean = scale_free_ratio(n, delta);
  if (n < 3) return any_mean;
  const auto excess = [&](double x) {
    const Ball half = Ball(n) / 2;
    Ball below;
    arb_hypgeom_beta_lower(below.x, half.x, half.x, (x / (1 + Ball(x))).x, 1, bits);
    return below - delta;
  };
  return std::max(any_mean, largest_with(excess, lower(Ball(n - 2) / (n + 2))));
}

// x - 1 - log x >= rate
double scale_free_below(long n, double delta) {
  const auto excess = [&](double x) { return rate_of(n, delta) - x + 1 + log(Ball(x)); };
  return largest_with(excess, 1);
}

// The same in 1/x.
double scale_free_above(long n, double delta) {
  const auto excess = [&](double y) { return rate_of(n, delta) - 1 / Ball(y) + 1 - log(Ball(y)); };
  return upper(1 / Ball(largest_with(excess, 1)));
}

// 4x/(1+x)^2 <= delta^(2/n)
double scale_free_ratio(long n, double delta) {
  const auto excess = [&](double x) {
    return 4 * Ball(x) / ((1 + Ball(x)) * (1 + Ball(x))) - exp(-rate_of(n, delta));
  };
  return largest_with(excess, 1);
}

}  // namespace verify
