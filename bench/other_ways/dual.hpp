// A number with N directional derivatives: forward-mode automatic differentiation.
#pragma once

#include <Eigen/Core>
#include <cmath>

namespace loopcert::bench {

template <int N>
struct Dual {
  using Slopes = Eigen::Array<double, N, 1>;

  double value = 0;
  Slopes slopes = Slopes::Zero();

  Dual() = default;
  Dual(double constant) : value(constant) {}  // NOLINT: a constant is a dual number
  Dual(double v, const Slopes& s) : value(v), slopes(s) {}

  Dual& operator+=(const Dual& other) {
    value += other.value;
    slopes += other.slopes;
    return *this;
  }
  // this += c x, the step of every product with a matrix of constants.
  void add(double c, const Dual& x) {
    value += c * x.value;
    slopes += c * x.slopes;
  }
  // this += x y
  void add(const Dual& x, const Dual& y) {
    value += x.value * y.value;
    slopes += x.value * y.slopes + y.value * x.slopes;
  }

  friend Dual operator+(Dual a, const Dual& b) { return a += b; }
  friend Dual operator-(const Dual& a, const Dual& b) {
    return {a.value - b.value, a.slopes - b.slopes};
  }
  friend Dual operator*(double c, const Dual& a) { return {c * a.value, c * a.slopes}; }
  friend Dual operator*(const Dual& a, const Dual& b) {
    return {a.value * b.value, a.value * b.slopes + b.value * a.slopes};
  }
  friend Dual exp(const Dual& a) {
    const double e = std::exp(a.value);
    return {e, e * a.slopes};
  }
  friend Dual sqrt(const Dual& a) {
    const double root = std::sqrt(a.value);
    return {root, (0.5 / root) * a.slopes};
  }
};

}  // namespace loopcert::bench
