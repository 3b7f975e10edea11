// docs/theory/covariance-envelopes.md: the smallest eigenvalue of a Wishart matrix.
#include <algorithm>
#include <map>

#include "lemmas/lemmas.hpp"

namespace verify {
namespace {

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

}  // namespace

double wishart_by_concentration(long d, long n, double delta) {
  const Ball s = 1 - sqrt(Ball(d) / n) - sqrt(2 * log(1 / Ball(delta)) / n);
  return lower(s) > 0 ? lower(s * s) : 0;
}

// The density of the smallest eigenvalue, bounded by a gamma density.
double wishart_by_density(long d, long n, double delta) {
  const double gap = static_cast<double>(n - d), k = (gap + 1) / 2;
  const auto excess = [&](double q) {
    const Ball log_2 = log(Ball(2));
    const Ball factor = exp((gap - 1) / 2 * log_2 + log_gamma(Ball(n + 1) / 2) -
                            log_gamma(Ball(d) / 2) - log_gamma(gap + 1) + k * log_2 + log_gamma(k));
    return factor * gamma_below(k, n * Ball(q) / 2) - delta;
  };
  return largest_with(excess, 1);
}

double wishart_by_quantile(long d, long n, double delta) {
  std::map<slong, Ball> whole;  // by precision
  const auto excess = [&](double q) {
    if (!whole.contains(bits)) whole[bits] = skew_determinant(d, n, 0);
    return 1 - sqrt(skew_determinant(d, n, n * Ball(q) / 2) / whole[bits]) - delta;
  };
  return largest_with(excess, 1);
}

double wishart_floor(long d, long n, double delta) {
  if (n <= d) return 0;
  if (d <= 40 && n <= 20000) return wishart_by_quantile(d, n, delta);  // above the two others
  return std::max(wishart_by_concentration(d, n, delta), wishart_by_density(d, n, delta));
}

}  // namespace verify
