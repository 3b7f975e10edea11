// The smallest eigenvalue of a standard Wishart matrix (docs/theory/covariance-envelopes.md): the
// larger of three bounds below its quantile, each checked in balls at the number returned.
#include <arb_hypgeom.h>

#include <algorithm>
#include <cmath>

#include "envelope.hpp"

namespace verify {
namespace {

Ball gamma_upper(const Ball& s, const Ball& x) {
  Ball r;
  arb_hypgeom_gamma_upper(r.x, s.x, x.x, 0, bits);
  return r;
}

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

// Gamma(s, x) for s = first, first + 1, ...: upwards only positive numbers are added.
std::vector<Ball> gamma_ladder(double first, const Ball& x, long count) {
  std::vector<Ball> ladder = {gamma_upper(first, x)};
  Ball term = power(x, first) * exp(-x);
  for (long i = 1; i < count; ++i) {
    ladder.push_back(Ball(first + static_cast<double>(i) - 1) * ladder.back() + term);
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

double by_density(long d, long n, double delta) {
  const double gap = static_cast<double>(n - d), m = static_cast<double>(n), k = (gap + 1) / 2;
  const Ball log_2 = log(Ball(2));
  const Ball factor = exp(Ball((gap - 1) / 2) * log_2 + log_gamma((m + 1) / 2) -
                          log_gamma(static_cast<double>(d) / 2) - log_gamma(gap + 1) +
                          Ball(k) * log_2 + log_gamma(k));
  const auto holds = [&](double q) {
    Ball p;
    arb_hypgeom_gamma_lower(p.x, Ball(k).x, (Ball(m) * Ball(q) / Ball(2)).x, 1, bits);
    return upper(factor * p) <= delta;
  };
  return largest_that(holds, 1);
}

double by_quantile(long d, long n, double delta) {
  const Ball whole = skew_determinant(d, n, Ball(0));
  const auto below = [&](double q) {
    const Ball a = Ball(static_cast<double>(n)) * Ball(q) / Ball(2);
    return Ball(1) - sqrt(skew_determinant(d, n, a) / whole);
  };
  const double q = largest_that([&](double x) { return upper(below(x)) <= delta; }, 1);
  const Ball p = q > 0 ? below(q) : Ball(0);
  const bool sharp = q > 0 && upper(p) - lower(p) < 1e-11 * delta;
  return sharp ? q : 0;
}

}  // namespace

double largest_that(const std::function<bool(double)>& holds, double high) {
  if (holds(high)) return high;
  double low = high / 2;
  for (int steps = 0; !holds(low); ++steps, low /= 2) {
    if (steps > 200) return 0;
    high = low;
  }
  while (high - low > 1e-12 * low) {
    const double middle = low + (high - low) / 2;
    (holds(middle) ? low : high) = middle;
  }
  return low;
}

double wishart_floor(long d, long n, double delta) {
  if (n <= d) return 0;
  const slong before = bits;
  bits = 256;
  double q = std::max(by_concentration(d, n, delta), by_density(d, n, delta));
  if (d <= 40 && n <= 20000)
    for (; bits <= 4096; bits *= 2)
      if (const double exact = by_quantile(d, n, delta); exact > 0) {
        q = std::max(q, exact);
        break;
      }
  bits = before;
  return q;
}

}  // namespace verify
