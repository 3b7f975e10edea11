// What the tests of the checker share. They use nothing of the library, as the checker does not.
#pragma once

#include <gtest/gtest.h>

#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <numbers>
#include <random>

#include "balls/ball.hpp"

namespace verify::testing {

// On the safe side of the exact number, and close to it.
inline void expect_just_below(double found, double exact) {
  EXPECT_LE(found, exact * (1 + 1e-14));
  EXPECT_GE(found, exact * (1 - 1e-12));
}
inline void expect_just_above(double found, double exact) {
  EXPECT_GE(found, exact * (1 - 1e-14));
  EXPECT_LE(found, exact * (1 + 1e-12));
}
// A ball around the exact number, of which `exact` has all digits but the last few.
inline void expect_ball(const Ball& found, double exact) {
  const double room = 1e-14 * std::max(1.0, std::abs(exact));
  EXPECT_LE(lower(found), exact + room);
  EXPECT_GE(upper(found), exact - room);
  EXPECT_LE(upper(found) - lower(found), 1e-12 * std::max(1.0, std::abs(exact)));
}

// The working precision, as main raises it, for as long as this lives.
struct Bits {
  explicit Bits(slong count) { bits = count; }
  ~Bits() { bits = before; }
  const slong before = bits;
};

inline Mat matrix(long rows, long cols, const std::vector<double>& values) {
  return Mat(Table{rows, cols, values});
}

// Standard normal numbers of a fixed seed, by Box and Muller: the same everywhere.
class Normal {
 public:
  explicit Normal(unsigned long seed) : bits_(seed) {}
  double operator()() {
    const double u = (static_cast<double>(bits_() >> 11) + 0.5) * 0x1p-53;
    const double v = static_cast<double>(bits_() >> 11) * 0x1p-53;
    return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
  }

 private:
  std::mt19937_64 bits_;
};

// More of n draws of probability p, or fewer, come but once in 10^10.
inline double most_of(long n, double p) {
  const boost::math::binomial law(static_cast<double>(n), p);
  return quantile(complement(law, 1e-10));
}
inline double least_of(long n, double p) { return static_cast<double>(n) - most_of(n, 1 - p); }

// Integral of f(x) times the density of N(0, 1): the trapezoidal rule is exact to the last digits.
template <class F>
double gaussian_mean(const F& f) {
  const double step = 1.0 / 32;
  double sum = 0;
  for (int k = -512; k <= 512; ++k) {
    const double x = k * step;
    sum += f(x) * std::exp(-x * x / 2);
  }
  return sum * step / std::sqrt(2 * std::numbers::pi);
}

}  // namespace verify::testing
