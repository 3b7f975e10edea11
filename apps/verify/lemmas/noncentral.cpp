// docs/theory/limits.md: the tail of a Gaussian number of which n draws are known. With S^2 a
// chi-square of n - 1 degrees over these, P(t-variable >= t) = E P(g > t S - d), g standard normal.
#include <acb_calc.h>
#include <acb_hypgeom.h>

#include <algorithm>
#include <cmath>

#include "lemmas/lemmas.hpp"

namespace verify {
namespace {

// s^(nu-1) e^(-nu (s^2 - 1)/2) P(g > t s - d) and the two numbers in it.
struct Integrand {
  slong nu;
  arb_srcptr t, d;
};

int integrand(acb_ptr value, const acb_t s, void* data, slong, slong precision) {
  const auto& [nu, t, d] = *static_cast<const Integrand*>(data);
  acb_t x;
  acb_init(x);
  acb_mul_arb(x, s, t, precision);
  acb_sub_arb(x, x, d, precision);
  acb_mul_arb(x, x, Ball(sqrt(Ball(0.5))).x, precision);
  acb_hypgeom_erfc(value, x, precision);
  acb_pow_ui(x, s, static_cast<ulong>(nu - 1), precision);
  acb_mul(value, value, x, precision);
  acb_mul(x, s, s, precision);
  acb_sub_ui(x, x, 1, precision);
  acb_mul_si(x, x, -nu, precision);
  acb_mul_2exp_si(x, x, -1);
  acb_exp(x, x, precision);
  acb_mul(value, value, x, precision);
  acb_mul_2exp_si(value, value, -1);
  acb_clear(x);
  return 0;
}

// P(S > s) for s above one, P(S < s) below: at most exp(-nu/2 (s^2 - 1 - log s^2)).
double log_chance(double nu, double s) { return -nu / 2 * (s * s - 1 - 2 * std::log(s)); }
Ball chance(slong nu, double s) {
  const Ball square = Ball(s) * s;
  return exp(-(Ball(nu) / 2 * (square - 1 - log(square))));
}

// P(T >= t) to about 2^-40 of delta, T of nu degrees and noncentrality d.
Ball chance_above(slong nu, const Ball& t, const Ball& d, double delta) {
  const double n = static_cast<double>(nu), far = std::log(delta) - 45;
  double a = 1, b = 1;
  for (double step = 1 / std::sqrt(n); log_chance(n, b) > far;) b += step;
  while (log_chance(n, a) > far) a *= 1 - 1 / (2 + std::sqrt(n));
  Integrand f{nu, t.x, d.x};
  acb_t from, to, sum;
  acb_init(from);
  acb_init(to);
  acb_init(sum);
  acb_set_d(from, a);
  acb_set_d(to, b);
  mag_t room;
  mag_init(room);
  mag_set_d(room, std::ldexp(delta, -44) / std::sqrt(n));
  acb_calc_integrate(sum, integrand, &f, from, to, 50, room, nullptr, bits);
  Ball inside;
  arb_set(inside.x, acb_realref(sum));
  mag_clear(room);
  acb_clear(from);
  acb_clear(to);
  acb_clear(sum);
  // 2 (nu/2)^(nu/2) e^(-nu/2) / Gamma(nu/2)
  const Ball half = Ball(nu) / 2;
  Ball all = 2 * exp(half * log(half) - half - log_gamma(half)) * inside;
  const Ball outside = chance(nu, a) + chance(nu, b);
  arb_add_error(all.x, outside.x);
  return all;
}

// The same in doubles, to some twelve digits: by the trapezoidal rule in log s, where everything
// decays, and the second factor falls over a width of 1/d.
double near_chance(double nu, double t, double d) {
  const double step = std::min({0.05, 0.1 / std::sqrt(nu), 0.2 / (1 + std::abs(d))});
  const double half = nu / 2;
  const double factor = std::log(2.0) + half * std::log(half) - half - std::lgamma(half);
  const double low = -50 / nu - 12 / std::sqrt(nu), high = std::min(3.0, 12 / std::sqrt(nu)) + 0.5;
  double sum = 0;
  for (double y = low; y <= high; y += step) {
    const double s = std::exp(y), log_density = factor + nu * y - half * (s * s - 1);
    if (log_density > -700) sum += std::exp(log_density) * std::erfc((t * s - d) / std::sqrt(2.0));
  }
  return sum / 2 * step;
}

double near_root(double nu, double t, double delta) {
  double low = -std::abs(t) - 10, high = std::abs(t) + 10;
  while (near_chance(nu, t, low) > delta) low -= 10 + std::abs(t);
  while (near_chance(nu, t, high) < delta) high += 10 + std::abs(t);
  for (int i = 0; i < 100 && high - low > 1e-15 * std::abs(high); ++i) {
    const double middle = low + (high - low) / 2;
    (near_chance(nu, t, middle) < delta ? low : high) = middle;
  }
  return low;
}

}  // namespace

// How small it is beyond 10 deviations, 10^-23, nobody needs to know.
constexpr double negligible = 10;

// In the noncentrality d = sqrt n z, p = P(g > z): below the root d is excluded but for delta.
Ball tail_above(const Ball& k, long n, double delta) {
  if (!arb_is_finite(k.x)) throw TooWide{"a row of the limits"};
  const Ball root = sqrt(Ball(n)), t = k * root;
  const auto nu = static_cast<slong>(n - 1);
  const Ball beyond = normal_above(negligible);
  if (upper(chance_above(nu, t, negligible * root, delta)) <= delta)
    return ball(arb_union, Ball(0).x, beyond.x);
  const double near = near_root(static_cast<double>(nu), (lower(t) + upper(t)) / 2, delta);
  const auto between = [&]() -> std::optional<Ball> {
    for (const double share : {2e-12, 1e-10, 1e-8}) {
      const double room = share * std::max(1.0, std::abs(near));
      const Ball low(near - room), high(near + room);
      if (upper(chance_above(nu, t, low, delta)) <= delta &&
          lower(chance_above(nu, t, high, delta)) >= delta)
        return ball(arb_union, normal_above(low / root).x, normal_above(high / root).x);
    }
    return std::nullopt;
  };
  return with_more_bits(between, "a bound on a tail");
}

}  // namespace verify
