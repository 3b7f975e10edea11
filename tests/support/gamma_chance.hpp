// P(sum_i s_i G_i <= t) for G_i ~ Gamma(shape) by integrating along a line in the complex plane.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "loopcert/core/types.hpp"

namespace loopcert::testing {

inline double chance_below(const Vector& s, double shape, double t) {
  double lambda = 0, high = 1 / s.minCoeff();  // near the saddle point, where little cancels
  const auto mean = [&](double l) { return shape * (s.array() / (1 + l * s.array())).sum(); };
  while (mean(high) > t) high *= 2;
  for (int i = 0; i < 60; ++i)
    (mean(0.5 * (lambda + high)) > t ? lambda : high) = 0.5 * (lambda + high);
  lambda = std::max(high, 0.1 / s.sum());
  const Eigen::ArrayXd r = s.array() / (1 + lambda * s.array());
  const double step = 0.005 / std::sqrt(shape * r.square().sum());
  double sum = 0;
  for (int k = 0; k <= 20000; ++k) {
    const double u = step * k;
    std::complex<double> log_value(0, u * t);
    for (const double scale : r) log_value -= shape * std::log(std::complex<double>(1, u * scale));
    const std::complex<double> value = std::exp(log_value) / std::complex<double>(lambda, u);
    sum += (k == 0 ? 0.5 : 1.0) * value.real() * step;
  }
  return std::exp(lambda * t - shape * (lambda * s.array()).log1p().sum()) * sum / std::numbers::pi;
}

}  // namespace loopcert::testing
