#include "tails.hpp"

#include <arb_hypgeom.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace verify {
namespace {

// Gamma(s, x) for s = first, first + 1, ..., first a multiple of 1/2: upwards from Gamma(1, x) or
// Gamma(1/2, x) only positive numbers are added.
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

// Pf(A)^2 = det(A), the matrix of de Bruijn's formula.
Ball skew_determinant(long d, long n, const Ball& a) {
  const double alpha = static_cast<double>(n - d - 1) / 2;
  const long size = d + d % 2;
  const std::vector<Ball> Phi = gamma_ladder(alpha + 1, a, d);
  const std::vector<Ball> pairs = gamma_ladder(2 * alpha + 2, 2 * a, 2 * d);
  Mat A(size, size);
  const auto put = [&](long i, long j, const Ball& value) {
    A.set(i - 1, j - 1, value);
    A.set(j - 1, i - 1, -value);
  };
  for (long i = 1; i <= d; ++i) {
    const Ball& Phi_i = Phi[static_cast<size_t>(i - 1)];
    Ball entry(0);
    for (long j = i; j < d; ++j) {
      const double k = alpha + static_cast<double>(j), s = 2 * alpha + static_cast<double>(i + j);
      const Ball phi = arb_is_zero(a.x) ? Ball(0) : power(a, k) * exp(-a);
      entry = k * entry + 2 * power(2, -s) * pairs[static_cast<size_t>(i + j - 2)] - phi * Phi_i;
      put(i, j + 1, entry);
    }
    if (size > d) put(i, size, Phi_i);
  }
  return determinant(A);
}

double by_concentration(long d, long n, double delta) {
  const Ball s = 1 - sqrt(Ball(d) / n) - sqrt(2 * log(1 / Ball(delta)) / n);
  return lower(s) > 0 ? lower(s * s) : 0;
}

// The density of the smallest eigenvalue, bounded by a gamma density.
double by_density(long d, long n, double delta) {
  const double gap = static_cast<double>(n - d), k = (gap + 1) / 2;
  const auto excess = [&](double q) {
    const Ball log_2 = log(Ball(2));
    const Ball factor = exp((gap - 1) / 2 * log_2 + log_gamma(Ball(n + 1) / 2) -
                            log_gamma(Ball(d) / 2) - log_gamma(gap + 1) + k * log_2 + log_gamma(k));
    return factor * gamma_below(k, n * Ball(q) / 2) - delta;
  };
  return largest_with(excess, 1);
}

double by_quantile(long d, long n, double delta) {
  std::map<slong, Ball> whole;  // by precision
  const auto excess = [&](double q) {
    if (!whole.contains(bits)) whole[bits] = skew_determinant(d, n, 0);
    return 1 - sqrt(skew_determinant(d, n, n * Ball(q) / 2) / whole[bits]) - delta;
  };
  return largest_with(excess, 1);
}

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

double wishart_floor(long d, long n, double delta) {
  if (n <= d) return 0;
  if (d <= 40 && n <= 20000) return by_quantile(d, n, delta);  // itself, above the two others
  return std::max(by_concentration(d, n, delta), by_density(d, n, delta));
}

// x - 1 - log x >= rate, or the quantile of a chi-square.
double below_factor(bool centred, long n, double delta) {
  const auto any_mean = [&](double x) { return rate_of(n, delta) - x + 1 + log(Ball(x)); };
  const auto quantile = [&](double x) {
    return gamma_below(static_cast<double>(n) / 2, n * Ball(x) / 2) - delta;
  };
  return centred ? largest_with(quantile, 1) : largest_with(any_mean, 1);
}

// The same above the mean, in 1/x; the quantile from 1 + 2/n on.
double above_factor(bool centred, long n, double delta) {
  const auto any_mean = [&](double y) {
    return rate_of(n, delta) - 1 / Ball(y) + 1 - log(Ball(y));
  };
  const auto quantile = [&](double y) {
    return gamma_above(static_cast<double>(n) / 2, n / (2 * Ball(y))) - delta;
  };
  const double least = lower(n / Ball(n + 2));
  return upper(1 / Ball(centred ? largest_with(quantile, least) : largest_with(any_mean, 1)));
}

// 4x/(1+x)^2 <= delta^(2/n); centred also the quantile of F(n, n), up to (n-2)/(n+2).
double ratio_factor(bool centred, long n, double delta) {
  const double any_mean = largest_with(
      [&](double x) {
        return 4 * Ball(x) / ((1 + Ball(x)) * (1 + Ball(x))) - exp(-rate_of(n, delta));
      },
      1);
  if (!centred || n < 3) return any_mean;
  const auto quantile = [&](double x) {
    const Ball half = Ball(n) / 2;
    Ball below;
    arb_hypgeom_beta_lower(below.x, half.x, half.x, (x / (1 + Ball(x))).x, 1, bits);
    return below - delta;
  };
  return std::max(any_mean, largest_with(quantile, lower(Ball(n - 2) / (n + 2))));
}

// kl(x/kappa, 1/kappa) >= log(1/delta)/n
double fourth_moment_factor(long n, double delta, double kappa) {
  const auto excess = [&](double x) {
    const Ball p = 1 / Ball(kappa), a = x * p;
    return rate_of(n, delta) / 2 - a * log(Ball(x)) - (1 - a) * log((1 - a) / (1 - p));
  };
  return largest_with(excess, 1);
}

Ball kl_upper(const Ball& a, const Ball& rate) {
  const bool none = arb_is_zero(a.x);
  const auto excess = [&](double rest) {  // q = 1 - rest
    const Ball kl =
        none ? -log(Ball(rest)) : a * log(a / (1 - Ball(rest))) + (1 - a) * log((1 - a) / rest);
    return rate - kl;
  };
  return 1 - Ball(largest_with(excess, lower(1 - a)));
}

}  // namespace verify
