// docs/theory/chi-square.md, 4 and 5: the mean of Gaussian costs of which something is known about
// the spectrum.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "lemmas/lemmas.hpp"

namespace verify {
namespace {

constexpr int steps = 256;        // of the integral,
constexpr double per_width = 32;  // so many to the width of what is under it

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
std::vector<double> eigenvalue_sums(const Mat& A) {
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
  Ball sum;
  for (double& value : values) {
    sum = sum + value;
    value = upper(sum);
  }
  if (!values.empty() && !std::isfinite(values.back())) throw TooWide{"a spectrum"};
  return values;
}

// e^{lambda t} M(lambda)/pi int_0^inf prod_i (1 + u^2 r_i^2)^{-a/2} / sqrt(lambda^2 + u^2) du with
// r_i = s_i/(1 + lambda s_i): the integrand falls, beyond the last step faster than a power of u.
Ball log_chance_below(const std::vector<double>& s, const Ball& shape, const Ball& t,
                      const Ball& lambda) {
  std::vector<Ball> squares;  // of r_i
  Ball width, exponent = lambda * t;
  for (const double scale : s) {
    const Ball r = scale / (1 + lambda * scale);
    squares.push_back(r * r);
    width = width + r * r;
    exponent = exponent - shape * log(1 + lambda * scale);
  }
  const Ball step = upper(1 / (per_width * sqrt(shape * width)));
  Ball sum, last, falls(-1);
  for (int k = 0; k <= steps; ++k) {
    const Ball u_2 = step * step * k * k;
    Ball product(1);
    for (const Ball& square : squares) product = product * (1 + u_2 * square);
    last = exp(-shape / 2 * log(product)) / sqrt(lambda * lambda + u_2);
    if (k < steps) sum = sum + last * step;
  }
  const Ball U = step * steps, U_2 = U * U;
  for (const Ball& square : squares) falls = falls + shape * U_2 * square / (1 + U_2 * square);
  falls = falls + U_2 / (lambda * lambda + U_2);
  if (!(lower(falls) > 0)) return INFINITY;
  Ball pi;
  arb_const_pi(pi.x, bits);
  return exponent + log((sum + last * U / falls) / pi);
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
