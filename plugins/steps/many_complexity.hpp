// inf over lambda of (rate + psi(lambda))/lambda: certificate/tails/complexity.cpp on a device.
#pragma once

#include <cmath>

#include "many.hpp"

namespace lc {

struct ManyComplexity {
  double value = 0, d_rate = 0, d_phi = 0, d_mean = 0;
};

// f(x) = x - log(1 + 2x)/2
LC_DEVICE inline double many_f(double x) {
  if (fabs(x) < 1e-4) return x * x * (1 + x * (-4.0 / 3 + x * (2 - x * 16.0 / 5)));
  return x - 0.5 * log1p(2 * x);
}
// x f'(x) - f(x)
LC_DEVICE inline double many_stationarity(double x) {
  return x < 1 ? 2 * x * x / (1 + 2 * x) - many_f(x) : 0.5 * log1p(2 * x) - x / (1 + 2 * x);
}

// r g(x) + m x^2 = rate by Newton's method in log x, kept between bounds.
LC_DEVICE inline ManyComplexity many_rank_aware(double rate, double phi, double mean, double r) {
  const double s = sqrt(phi / r), m = mean / (s * s);
  constexpr double largest = 300;
  double low = 0.5 * log(rate / (r + m)), high = low + 1;
  const auto excess = [&](double log_x) {
    const double x = exp(log_x);
    return r * many_stationarity(x) + m * x * x - rate;
  };
  ManyComplexity c;
  if (!(low - low == 0)) return {low, low, low, low};
  while (excess(low) > 0) low -= 1;
  while (excess(high) < 0 && high < largest) high += 2;
  double log_x = largest;
  if (excess(high) >= 0) {
    log_x = low;
    for (int step = 0; step < 200; ++step) {
      const double x = exp(log_x), e = excess(log_x);
      (e < 0 ? low : high) = log_x;
      // d/dlog x: x^2 f'' = 2 x^2 / (1 + 2x)^2
      const double slope = 2 * x * x * (r / ((1 + 2 * x) * (1 + 2 * x)) + m);
      double next = log_x - e / slope;
      if (!(next >= low && next <= high)) next = 0.5 * (low + high);
      const bool done = fabs(next - log_x) <= 4e-16 * fmax(1.0, fabs(next));
      log_x = next;
      if (done) break;
    }
  }
  const double x = exp(log_x), lambda = x / s;
  c.value = (rate + r * many_f(x)) / lambda + lambda * mean;
  c.d_rate = 1 / lambda;
  c.d_phi = lambda / (1 + 2 * x);
  c.d_mean = lambda;
  return c;
}

LC_DEVICE inline ManyComplexity many_complexity(const ManyForm& form, const lc_many_numbers& in,
                                                double rate, double C, double mean_term) {
  const bool fixed = in.lambda > 0, cross = form.psi == LC_PSI_CROSS;
  if (!fixed && form.psi == LC_PSI_RANK_AWARE)
    return many_rank_aware(rate, in.scale * C, in.scale * mean_term, form.rank);
  const double phi = in.scale * (cross ? mean_term : C + mean_term);
  const double lambda = fixed ? in.lambda : sqrt(rate / phi);
  ManyComplexity c;
  c.value = fixed ? rate / lambda + lambda * phi : 2 * sqrt(rate * phi);
  c.d_rate = 1 / lambda;
  c.d_phi = cross ? 0.0 : lambda;
  c.d_mean = lambda;
  return c;
}

}  // namespace lc
