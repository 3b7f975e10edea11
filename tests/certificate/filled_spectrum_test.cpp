// docs/theory/chi-square.md, 4 and 5: the worst spectrum under bounds on its sums, against exact
// probabilities.
#include "certificate/filled_spectrum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <complex>
#include <numbers>

#include "certificate/tails.hpp"
#include "chance.hpp"
#include "loopcert/core/random.hpp"
#include "random_system.hpp"
#include "seed.hpp"

namespace loopcert::testing {
namespace {

Vector sums_of(const Vector& s) {
  Vector c(s.size());
  double sum = 0;
  for (Index i = 0; i < s.size(); ++i) c(i) = sum += s(i);
  return c;
}

// P(sum s_i G_i <= t) by integrating along a line in the complex plane, where nothing is bounded.
double chance_below(const Vector& s, double shape, double t) {
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

TEST(FilledSpectrum, FillsFromTheFirstOn) {
  const Vector caps = Eigen::Vector3d(3, 5, 6);
  EXPECT_EQ(filled_spectrum(caps, 2), Vector::Constant(1, 2));
  EXPECT_EQ(filled_spectrum(caps, 4), Vector(Eigen::Vector2d(3, 1)));
  EXPECT_EQ(filled_spectrum(caps, 5.5), Vector(Eigen::Vector3d(3, 2, 0.5)));
  EXPECT_EQ(filled_spectrum(caps, 7), Vector(Eigen::Vector3d(3, 2, 1)));  // there is no more
}

// Equal scales are one gamma variable.
TEST(FilledSpectrum, ChanceIsAboveTheExactOneAndClose) {
  for (const Index count : {1, 3})
    for (const double shape : {0.5, 15.0, 100.0}) {
      const auto all = static_cast<double>(count) * shape;
      const double t = std::max(all - 2.3 * std::sqrt(all), 0.1 * all), scale = 0.01;
      const Vector s = Vector::Constant(count, scale);
      const double exact = boost::math::gamma_p(all, t);
      double least = INFINITY;
      for (const double share : {0.3, 0.9, 1.0, 1.1, 1.2, 3.0}) {
        const double lambda = share * (all / t - 1) / scale;  // times that of the saddle point
        const double found = std::exp(log_chance_below(s, shape, scale * t, lambda));
        EXPECT_GE(found, exact) << share;
        least = std::min(least, found);
      }
      if (shape < 1) continue;
      EXPECT_LE(least, 1.07 * exact) << count << " " << shape;
      EXPECT_NEAR(chance_below(s, shape, scale * t), exact, 1e-6 * exact + 1e-9);
    }
}

// One cap that says nothing is the single chi-square, and no caps make it larger.
TEST(FilledSpectrum, IsNeverAboveTheSingleChiSquare) {
  const double single = 2 / centred_factor(20, 0.01);
  EXPECT_EQ(filled_bound(Vector::Constant(1, 1e9), 2, 20, 0.01).value, single);
  double before = single;
  for (const double first : {1e3, 2.0, 1.0, 0.3, 0.1}) {
    const Vector caps = Vector::LinSpaced(200, first, 200 * first);
    const double value = filled_bound(caps, 2, 20, 0.01).value;
    EXPECT_LE(value, before);
    EXPECT_GT(value, 2);
    before = value;
  }
  EXPECT_LT(before, 0.75 * single);
  // What all eigenvalues add up to is a bound by itself.
  EXPECT_NEAR(filled_bound(Vector::Constant(1, 2.2), 2, 20, 0.01).value, 2.2, 1e-9);
  EXPECT_EQ(filled_bound(Vector::Constant(1, 2.2), 0, 20, 0.01).value, 0);
}

// At the value the exact chance of the filled spectrum is delta, up to what the line gives away.
TEST(FilledSpectrum, ValueIsWhereTheChanceIsDelta) {
  for (const double delta : {0.3, 0.01, 1e-4}) {
    const Vector caps = sums_of(Eigen::Vector4d(0.5, 0.3, 0.3, 2));
    const FilledBound found = filled_bound(caps, 0.8, 40, delta);
    const double chance = chance_below(filled_spectrum(caps, found.value), 20, 20 * 0.8);
    EXPECT_LE(chance, delta * (1 + 1e-6));
    EXPECT_GE(chance, (delta < 0.1 ? 0.9 : 0.6) * delta);
    EXPECT_NEAR(log_chance_below(filled_spectrum(caps, found.value), 20, 16, found.lambda),
                std::log(delta), 1e-6);
  }
}

// Random spectra below random caps, of this cost and of larger ones.
TEST(FilledSpectrum, NoSpectrumBelowTheCapsIsWorse) {
  for (std::uint64_t k = 0; k < 40; ++k) {
    const std::uint64_t seed = test_seed(900 + k);
    const Index d = 2 + static_cast<Index>(k % 4);
    Vector s = random_matrix(d, 1, seed).cwiseAbs2();
    std::sort(s.begin(), s.end(), std::greater<>());
    const Vector more = random_matrix(d, 1, seed + 1).cwiseAbs();
    Vector larger = s.cwiseProduct(Vector::Ones(d) + more);
    std::sort(larger.begin(), larger.end(), std::greater<>());
    const double shape = 2.5 * static_cast<double>(1 + k % 3), V = s.sum();
    const Vector filled = filled_spectrum(sums_of(larger), V);
    const double latest = shape * V - filled(0);
    for (const double part : {0.4, 0.8, 1.0}) {
      const double worst = chance_below(filled, shape, part * latest);
      EXPECT_LE(chance_below(s, shape, part * latest), worst * (1 + 1e-5) + 1e-9);
      const double grown = std::min(1.0 + more.minCoeff(), 1.2);
      EXPECT_LE(chance_below(grown * s, shape, part * latest), worst * (1 + 1e-5) + 1e-9);
    }
  }
}

// How often the expectation is above the bound, where the caps are tight.
TEST(FilledSpectrum, FailsAsOftenAsItMay) {
  const Index sets = test_count(4000, 1000), n = 12;
  const Eigen::Vector2d s(0.6, 0.4);
  const Vector caps = Eigen::Vector3d(0.6, 1.2, 1.8);
  Index failed = 0;
  for (Index i = 0; i < sets; ++i) {
    const Matrix g =
        standard_normal_rows(test_stream(4712, static_cast<std::uint64_t>(i)), 0, n, 2);
    const double mean = (g.cwiseAbs2() * s).mean();
    failed += filled_bound(caps, mean, n, 0.1).value < 1;
  }
  EXPECT_LE(failed, most_of(sets, 0.1));
  EXPECT_GE(failed, least_of(sets, 0.09));  // exact but for the line
}

}  // namespace
}  // namespace loopcert::testing
