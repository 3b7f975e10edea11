#include "certificate/filled_spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "certificate/tails.hpp"

namespace loopcert {
namespace {

// The integral is summed on this many steps of 1/32 of the width of its integrand.
constexpr int steps = 256;
constexpr double per_width = 32;

// lambda of the saddle point, sum_i a s_i/(1 + lambda s_i) = t, times a factor that suits the
// integral's 1/lambda. 0 where t is not below the mean.
constexpr double beyond_saddle = 1.1;
double lambda_for(const Vector& s, double shape, double t) {
  const auto mean = [&](double l) { return shape * (s.array() / (1 + l * s.array())).sum(); };
  if (s.size() == 0 || !(t > 0) || !(mean(0) > t)) return 0;
  double low = 0, high = 1 / s(0);
  while (mean(high) > t) low = high, high *= 2;
  for (int i = 0; i < 100 && high - low > 1e-12 * high; ++i) {
    const double middle = 0.5 * (low + high);
    (mean(middle) > t ? low : high) = middle;
  }
  return beyond_saddle * high;
}

}  // namespace

Vector filled_spectrum(const Vector& caps, double total) {
  Vector s(caps.size());
  Index count = 0;
  double before = 0;
  for (Index k = 0; k < caps.size() && before < total; ++k) {
    const double now = std::min(caps(k), total);
    if (!(now > before)) break;
    s(count++) = now - before;
    before = now;
  }
  return s.head(count);
}

// e^{lambda t} M(lambda)/pi int_0^inf prod_i (1 + u^2 r_i^2)^{-a/2} / sqrt(lambda^2 + u^2) du with
// r_i = s_i/(1 + lambda s_i). The integrand falls: its value at the left end of each step, and
// beyond the last one the power of u that it falls faster than.
double log_chance_below(const Vector& s, double shape, double t, double lambda) {
  const Eigen::ArrayXd r = s.array() / (1 + lambda * s.array());
  const double step = 1 / (per_width * std::sqrt(shape * r.square().sum()));
  double sum = 0, last = 0;
  for (int k = 0; k <= steps; ++k) {
    const double u = step * k;
    last = std::exp(-0.5 * shape * (u * r).square().log1p().sum()) / std::hypot(lambda, u);
    if (k < steps) sum += last * step;
  }
  const double U = step * steps;
  const Eigen::ArrayXd squares = (U * r).square();
  const double falls =
      shape * (squares / (1 + squares)).sum() + U * U / (lambda * lambda + U * U) - 1;
  if (!(falls > 0)) return INFINITY;
  sum += last * U / falls;
  return lambda * t - shape * (lambda * s.array()).log1p().sum() + std::log(sum / std::numbers::pi);
}

FilledBound filled_bound(const Vector& caps, double empirical, Index n, double delta) {
  const double shape = 0.5 * static_cast<double>(n), t = shape * empirical;
  const double single = empirical / centred_factor(n, delta);
  // Whether L >= value has a chance of at most delta. Above all caps it has none.
  const auto excluded = [&](double value) {
    if (caps.size() == 0 || value > caps(caps.size() - 1)) return true;
    const Vector s = filled_spectrum(caps, value);
    const double lambda = lambda_for(s, shape, t);
    return lambda > 0 && t <= shape * value - s(0) &&
           log_chance_below(s, shape, t, lambda) <= std::log(delta);
  };
  FilledBound out{single, 0};
  if (!(empirical > 0)) return out;
  double low = empirical, high = single;
  if (excluded(high)) {
    while (high - low > 1e-12 * high) {
      const double middle = 0.5 * (low + high);
      (excluded(middle) ? high : low) = middle;
    }
    out.value = high * (1 + 1e-11);  // more than rounding, in the safe direction
  }
  out.lambda = lambda_for(filled_spectrum(caps, out.value), shape, t);
  return out;
}

}  // namespace loopcert
