#include "certificate/filled_spectrum.hpp"

#include <algorithm>
#include <cmath>

#include "certificate/gamma_sum.hpp"
#include "certificate/tails.hpp"

namespace loopcert {
namespace {

// lambda near the saddle point, sum_i a s_i/(1 + lambda s_i) = t, one over the deviation of Y at
// least. 0 where t is not below the mean.
double lambda_for(const Vector& s, double shape, double t) {
  const auto mean = [&](double l) { return shape * (s.array() / (1 + l * s.array())).sum(); };
  if (s.size() == 0 || !(t > 0) || !(mean(0) > t)) return 0;
  double low = 0, high = 1 / s(0);
  while (mean(high) > t) low = high, high *= 2;
  for (int i = 0; i < 100 && high - low > 1e-12 * high; ++i) {
    const double middle = 0.5 * (low + high);
    (mean(middle) > t ? low : high) = middle;
  }
  return std::max(high, 1 / std::sqrt(shape * s.squaredNorm()));
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
    // More than rounding, in the safe direction.
    out.value = std::min(single, high * (1 + 1e-11));
  }
  out.lambda = lambda_for(filled_spectrum(caps, out.value), shape, t);
  return out;
}

}  // namespace loopcert
