// The smallest eigenvalue of a standard Wishart matrix (docs/theory/covariance-envelopes.md): the
// quantile itself for small sizes, the larger of two numbers below it for others.
#include <arb_hypgeom.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "envelope.hpp"

namespace verify {
namespace {

Ball power(const Ball& base, const Ball& exponent) {
  Ball r;
  arb_pow(r.x, base.x, exponent.x, bits);
  return r;
}

Ball exp(const Ball& a) {
  Ball r;
  arb_exp(r.x, a.x, bits);
  return r;
}

Ball log_gamma(double a) {
  Ball r;
  arb_lgamma(r.x, Ball(a).x, bits);
  return r;
}

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
    value = Ball(s) * value + term;
    term = term * x;
  }
  return ladder;
}

// Pf(A)^2 = det(A), the matrix of de Bruijn's formula.
Ball skew_determinant(long d, long n, const Ball& a) {
  const double alpha = static_cast<double>(n - d - 1) / 2;
  const long size = d + d % 2;
  const std::vector<Ball> Phi = gamma_ladder(alpha + 1, a, d);
  const std::vector<Ball> pairs = gamma_ladder(2 * alpha + 2, Ball(2) * a, 2 * d);
  const bool zero = arb_is_zero(a.x);
  Mat A(size, size);
  const auto put = [&](long i, long j, const Ball& value) {
    A.set(i - 1, j - 1, value);
    A.set(j - 1, i - 1, -value);
  };
  for (long i = 1; i <= d; ++i) {
    Ball entry(0);
    for (long j = i; j < d; ++j) {
      const double k = static_cast<double>(j), s = 2 * alpha + static_cast<double>(i + j);
      const Ball phi = zero ? Ball(0) : power(a, alpha + k) * exp(-a);
      entry = Ball(alpha + k) * entry +
              Ball(2) * power(Ball(2), -s) * pairs[static_cast<size_t>(i + j - 2)] -
              phi * Phi[static_cast<size_t>(i - 1)];
      put(i, j + 1, entry);
    }
    if (size > d) put(i, size, Phi[static_cast<size_t>(i - 1)]);
  }
  return determinant(A);
}

double by_concentration(long d, long n, double delta) {
  const Ball s = Ball(1) - sqrt(Ball(static_cast<double>(d)) / Ball(static_cast<double>(n))) -
                 sqrt(Ball(2) * log(Ball(1) / Ball(delta)) / Ball(static_cast<double>(n)));
  return lower(s) > 0 ? lower(s * s) : 0;
}

// The density of the smallest eigenvalue, bounded by a gamma density.
double by_density(long d, long n, double delta) {
  const double gap = static_cast<double>(n - d), m = static_cast<double>(n), k = (gap + 1) / 2;
  return largest_with(
      [&](double q) {
        const Ball log_2 = log(Ball(2));
        const Ball factor = exp(Ball((gap - 1) / 2) * log_2 + log_gamma((m + 1) / 2) -
                                log_gamma(static_cast<double>(d) / 2) - log_gamma(gap + 1) +
                                Ball(k) * log_2 + log_gamma(k));
        return factor * gamma_below(k, Ball(m) * Ball(q) / Ball(2)) - Ball(delta);
      },
      1);
}

double by_quantile(long d, long n, double delta) {
  std::map<slong, Ball> whole;  // by precision
  return largest_with(
      [&](double q) {
        if (!whole.contains(bits)) whole[bits] = skew_determinant(d, n, Ball(0));
        const Ball a = Ball(static_cast<double>(n)) * Ball(q) / Ball(2);
        return Ball(1) - sqrt(skew_determinant(d, n, a) / whole[bits]) - Ball(delta);
      },
      1);
}

// Bisection at the working precision; nothing when the balls are too wide to find the place.
std::optional<double> bisect(const std::function<Ball(double)>& excess, double high) {
  double low = high;
  for (int steps = 0; !(upper(excess(low)) <= 0); ++steps, low /= 2) {
    if (steps > 200) return std::nullopt;
    high = low;
  }
  if (low == high) return low;
  while (high - low > 1e-12 * low) {
    const double middle = low + (high - low) / 2;
    (upper(excess(middle)) <= 0 ? low : high) = middle;
  }
  // If it is not certain that the next number is too large, a larger one may exist.
  return lower(excess(high)) > 0 ? std::optional(low) : std::nullopt;
}

}  // namespace

Ball gamma_below(double k, const Ball& x) {
  return Ball(1) - gamma_ladder(k, x, 1)[0] / exp(log_gamma(k));
}

double largest_with(const std::function<Ball(double)>& excess, double high) {
  const slong before = bits;
  std::optional<double> found;
  for (bits = 128; bits <= 4096 && !found; bits *= 2) found = bisect(excess, high);
  bits = before;
  if (!found) throw TooWide{"a quantile"};
  return *found;
}

double wishart_floor(long d, long n, double delta) {
  if (n <= d) return 0;
  if (d <= 40 && n <= 20000) return by_quantile(d, n, delta);  // itself, above the two others
  return std::max(by_concentration(d, n, delta), by_density(d, n, delta));
}

}  // namespace verify
