// docs/theory/chi-square.md, 4 to 6: the mean of Gaussian costs of which something is known about
// the spectrum.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "lemmas/lemmas.hpp"

namespace verify {
namespace {

constexpr int most_terms = 1024;

// Of what is not negative, though its ball may reach below zero.
Ball size_as_vector(const Mat& A) { return ball(arb_sqrtpos, dot(A, A).x); }

}  // namespace

// By Jacobi's rotations. Doubles are good enough: what is left beside the diagonal is measured.
Table turned(Table A) {
  const long n = A.rows;
  Table Q{n, n, std::vector<double>(static_cast<size_t>(n * n))};
  for (long i = 0; i < n; ++i) Q(i, i) = 1;
  const auto rotate = [](double& a, double& b, double c, double s) {
    const double old = a;
    a = c * a - s * b;
    b = s * old + c * b;
  };
  double all = 0;
  for (const double a : A.values) all += a * a;
  for (int sweep = 0; sweep < 30; ++sweep) {
    double beside = 0;
    for (long p = 0; p < n; ++p)
      for (long q = p + 1; q < n; ++q) {
        if (A(p, q) == 0) continue;
        beside += A(p, q) * A(p, q);
        const double theta = (A(q, q) - A(p, p)) / (2 * A(p, q));
        const double t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::hypot(theta, 1.0));
        const double c = 1 / std::hypot(t, 1.0), s = t * c;
        for (long k = 0; k < n; ++k) rotate(A(k, p), A(k, q), c, s);
        for (long k = 0; k < n; ++k) rotate(A(p, k), A(q, k), c, s);
        for (long k = 0; k < n; ++k) rotate(Q(k, p), Q(k, q), c, s);
      }
    if (!(beside > 1e-31 * all)) break;
  }
  return Q;
}

// With B = Q'AQ, A = Q^-T B Q^-1: eigenvalue k of A is at most that of B times |Q^-1|^2, and that
// of B at most its k-th diagonal entry plus the size of what is beside the diagonal.
std::vector<double> eigenvalues_above(const Mat& A) {
  const long n = A.rows();
  const Mat Q(turned(centres(A)));
  const Mat B = transpose(Q) * A * Q, skew = transpose(Q) * Q - identity(n);
  const Ball rest = 1 - size_as_vector(skew);
  if (!(lower(rest) > 0.5)) throw TooWide{"directions of a spectrum"};
  const Mat d = diagonal(B), beside = B - diagonal_matrix(d);
  const Ball more = size_as_vector(beside);
  std::vector<double> values;
  for (long i = 0; i < n; ++i) values.push_back(upper((max_zero(d(i, 0)) + more) / rest));
  std::sort(values.rbegin(), values.rend());
  if (!values.empty() && !std::isfinite(values.front())) throw TooWide{"a spectrum"};
  return values;
}

std::vector<double> eigenvalue_sums(const Mat& A) {
  std::vector<double> sums = eigenvalues_above(A);
  Ball sum;
  for (double& value : sums) {
    sum = sum + value;
    value = upper(sum);
  }
  return sums;
}

// Item 5: a sum over k of values at u_k = 2 pi k / period, and what may be left out of it.
Ball log_chance_below(const std::vector<double>& s, const Ball& shape, const Ball& t,
                      const Ball& lambda) {
  std::vector<Ball> r;
  Ball squares, exponent = lambda * t;
  for (const double scale : s) {
    r.push_back(scale / (1 + lambda * scale));
    squares = squares + Ball(scale) * scale;
    exponent = exponent - shape * log(1 + lambda * scale);
  }
  // Any period is valid.
  const double period =
      upper(36 / lambda) + std::min(upper(2 * lambda * shape * squares), upper(t));
  if (!(period > 0) || !std::isfinite(period)) return INFINITY;
  Ball pi;
  arb_const_pi(pi.x, bits);
  Ball sum = 1 / (2 * lambda), rest = INFINITY;
  for (long k = 1; k <= most_terms && !(upper(rest) <= 1e-13 * lower(1 / lambda)); ++k) {
    const Ball u = 2 * pi * k / period, u_2 = u * u, line = u_2 / (lambda * lambda + u_2);
    Ball log_size = log(lambda * lambda + u_2) / 2, falls = line - 1;
    Ball angle = u * t - ball(arb_atan, (u / lambda).x);
    for (const Ball& scale : r) {
      const Ball ur = u * scale, square = ur * ur;
      log_size = log_size + shape / 2 * log(1 + square);
      falls = falls + shape * square / (1 + square);
      angle = angle - shape * ball(arb_atan, ur.x);
    }
    const Ball size = exp(-log_size);
    sum = sum + size * ball(arb_cos, angle.x);
    rest = lower(falls) > 0 ? size * k / falls : Ball(INFINITY);
  }
  const Ball whole = sum + rest;
  if (!(upper(whole) < INFINITY)) return INFINITY;
  if (!(lower(whole) > 0)) throw TooWide{"a chance"};
  return exponent + log(2 / Ball(period) * whole);
}

// L - Lhat, the margin t/shape below L at which the chance is certainly at most delta, and no less
// than (2/n) s_1.
Ball quantile_margin(const std::vector<double>& s, long n, double delta, const Ball& lambda,
                     const Ball& known) {
  if (s.empty()) return known;
  const Ball shape = Ball(n) / 2, least = s[0] / shape;
  Ball L;
  for (const double scale : s) L = L + scale;
  const auto rare = [&](double t) {
    return upper(log_chance_below(s, shape, t, lambda) - log(Ball(delta))) <= 0;
  };
  double low = lower(shape * (L - known)), high = lower(shape * (L - least));
  if (!(low > 0) || !(low < high) || !rare(low)) return known;
  if (rare(high)) return least;
  while (high - low > 1e-12 * high) {
    const double middle = low + (high - low) / 2;
    (rare(middle) ? low : high) = middle;
  }
  return L - low / shape;
}

double filled_value(const std::vector<double>& caps, const Ball& empirical, long n, double delta,
                    const Ball& lambda) {
  const Ball shape = Ball(n) / 2, t = shape * empirical;
  const double single = upper(empirical / chi_square_below(n, delta));
  // Whether L >= value certainly has a chance of at most delta, or none.
  const auto excluded = [&](double value) {
    if (caps.empty() || value > caps.back()) return true;
    if (!(lower(lambda) > 0)) return false;
    std::vector<double> s;
    double before = 0;
    for (size_t k = 0; k < caps.size() && before < value; ++k) {
      const double now = std::min(caps[k], value);
      s.push_back(upper(Ball(now) - before));
      before = now;
    }
    const double largest = *std::max_element(s.begin(), s.end());
    return lower(shape * value - largest - t) >= 0 &&
           upper(log_chance_below(s, shape, t, lambda) - log(Ball(delta))) <= 0;
  };
  double low = lower(empirical), high = single;
  if (!(low > 0) || !excluded(high)) return single;
  while (high - low > 1e-12 * high) {
    const double middle = low + (high - low) / 2;
    (excluded(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace verify
