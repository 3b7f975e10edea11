// docs/theory/bounded-hold-out.md: a coin is the worst case.
#include "lemmas/lemmas.hpp"

namespace verify {

Ball kl_upper(const Ball& a, const Ball& rate) {
  const bool none = arb_is_zero(a.x);
  const auto excess = [&](double rest) {  // q = 1 - rest
    const Ball kl =
        none ? -log(Ball(rest)) : a * log(a / (1 - Ball(rest))) + (1 - a) * log((1 - a) / rest);
    return rate - kl;
  };
  return 1 - Ball(largest_with(excess, lower(1 - a)));
}

// max over |w| <= W of (1, w)'G(1, w) <= nu W^2 + g'(nu I - K)^-1 g + c, for each nu above ||K||.
Ball largest_cost(const Mat& G, const Ball& W) {
  const long d = G.rows() - 1;
  const Mat K = block(G, 1, 1, d, d), g = block(G, 1, 0, d, 1), I = identity(d);
  const Ball top = largest_eigenvalue(K);
  if (size_of(g) == 0) return top * W * W + G(0, 0);
  const auto slope = [&](double s) {  // of the bound in nu = top + s
    const Mat y = solve((upper(top) + Ball(s)) * I - K, g);
    const Ball value = W * W - dot(y, y);
    if (!arb_is_finite(value.x)) throw TooWide{"the largest cost"};
    return lower(value) + upper(value);
  };
  double low = 1e-12 * upper(top), high = low + upper(sqrt(dot(g, g)) / W);
  for (int steps = 0; high - low > 1e-8 * high && steps < 200; ++steps) {
    const double half = low + (high - low) / 2;
    (slope(half) < 0 ? low : high) = half;
  }
  const Ball nu = upper(top) + Ball(high);
  return nu * W * W + dot(g, solve(nu * I - K, g)) + G(0, 0);
}

// kl(x/kappa, 1/kappa) >= log(1/delta)/n
double fourth_moment_factor(long n, double delta, double kappa) {
  const auto excess = [&](double x) {
    const Ball p = 1 / Ball(kappa), a = x * p;
    return log(1 / Ball(delta)) / n - a * log(Ball(x)) - (1 - a) * log((1 - a) / (1 - p));
  };
  return largest_with(excess, 1);
}

}  // namespace verify
