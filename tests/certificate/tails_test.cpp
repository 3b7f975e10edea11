// The factors of tails.hpp against the distributions they bound, computed from characteristic
// functions: no spectrum has a heavier tail than the single chi-square.
#include "certificate/tails.hpp"

#include <gtest/gtest.h>

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/fisher_f.hpp>
#include <cmath>
#include <complex>
#include <numbers>

#include "chance.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/core/random.hpp"
#include "seed.hpp"

namespace loopcert::testing {
namespace {

// P(sum_i s_i X_i <= t), X_i independent chi-square with m degrees, s_i of any sign. Davies (1973):
// a trapezoidal sum over the characteristic function, whose error is the probability outside
// (t - 2 pi/step, t + 2 pi/step): the step reaches 60 standard deviations.
double weighted_cdf(const Vector& s, double m, double t) {
  const double reach = s.cwiseAbs().sum() * (m + 60 * std::sqrt(2 * m) + 200) + std::abs(t);
  const double step = 2 * std::numbers::pi / reach;
  double sum = 0;
  for (int k = 0; k < 4'000'000; ++k) {
    const double u = (k + 0.5) * step;
    double log_size = 0, angle = -u * t;
    for (const double scale : s) {  // (1 - 2 i u s)^(-m/2)
      log_size -= 0.25 * m * std::log1p(4 * u * u * scale * scale);
      angle += 0.5 * m * std::atan(2 * u * scale);
    }
    const double size = std::exp(log_size) / (k + 0.5);
    sum += size * std::sin(angle);
    if (size < 1e-13) break;
  }
  return 0.5 - sum / std::numbers::pi;
}

// Weights that add up to 1: flat, decaying or nearly single, by the seed.
Vector random_weights(std::uint64_t seed) {
  const auto count = static_cast<Index>(2 + seed % 5);
  Vector u(count);
  fill_uniform(test_stream(seed, 77), 0, {u.data(), static_cast<size_t>(count)});
  const double power = 0.5 + static_cast<double>(seed % 3) * 2;
  const Vector s = u.array().pow(power);
  return s / s.sum();
}

double chi2(double m, double delta) {
  return boost::math::quantile(boost::math::chi_squared(m), delta);
}

TEST(Tails, TheReferenceItself) {
  for (const double m : {5.0, 12.0, 40.0})
    for (const double t : {0.4 * m, m, 1.5 * m})
      EXPECT_NEAR(weighted_cdf(Vector::Ones(1), m, t),
                  boost::math::cdf(boost::math::chi_squared(m), t), 1e-9);
  Vector s(2);
  s << 1, -0.6;  // P(X <= 0.6 Y) is an F probability
  EXPECT_NEAR(weighted_cdf(s, 10, 0), boost::math::cdf(boost::math::fisher_f(10, 10), 0.6), 1e-9);
}

TEST(Tails, KnownFactors) {
  // 1/x at delta 0.05 for n = 25, 50, 100, 200.
  const double expected[] = {1.71, 1.44, 1.28, 1.19};
  int i = 0;
  for (const Index n : {25, 50, 100, 200})
    EXPECT_NEAR(1 / centred_factor(n, 0.05), expected[i++], 0.005);
  for (const Index n : {1, 2, 5, 50, 1000})
    for (const double delta : {0.001, 0.05, 0.4}) {
      EXPECT_LT(scale_free_factor(n, delta), centred_factor(n, delta));
      EXPECT_LE(scale_free_ratio_factor(n, delta), centred_ratio_factor(n, delta));
      const double up = scale_free_upper_factor(n, delta);
      EXPECT_NEAR(up - 1 - std::log(up), 2 * std::log(1 / delta) / static_cast<double>(n), 1e-9);
      if (delta < 0.1) {
        EXPECT_GT(up, centred_upper_factor(n, delta));
      }
      const double x = scale_free_ratio_factor(n, delta);
      EXPECT_NEAR(std::pow(4 * x / ((1 + x) * (1 + x)), static_cast<double>(n) / 2), delta, 1e-9);
    }
  // Never outside the range in which the single variable is the worst case.
  EXPECT_EQ(centred_ratio_factor(2, 0.05), scale_free_ratio_factor(2, 0.05));
  EXPECT_LE(centred_ratio_factor(5, 0.49), 3.0 / 7);
  EXPECT_GE(centred_upper_factor(5, 0.4), 7.0 / 5);
  EXPECT_LE(centred_factor(10, 0.9), 1);
  EXPECT_THROW(centred_factor(0, 0.05), InputError);
  EXPECT_THROW(centred_ratio_factor(5, 0.0), InputError);
}

TEST(Tails, SingleChiSquareIsTheWorstBelowTheMean) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Vector s = random_weights(seed);
    for (const double m : {4.0, 7.0, 20.0, 50.0})
      for (const double t : {chi2(m, 0.01), chi2(m, 0.05), chi2(m, 0.3), m})
        ASSERT_LE(weighted_cdf(s, m, t), boost::math::cdf(boost::math::chi_squared(m), t) + 1e-8)
            << "seed " << seed << " m " << m;
  }
}

TEST(Tails, SingleChiSquareIsTheWorstFromTwoAboveTheMean) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Vector s = random_weights(seed);
    for (const double m : {4.0, 7.0, 20.0, 50.0})
      for (const double t : {m + 2, chi2(m, 0.9), chi2(m, 0.99)}) {
        if (t < m + 2) continue;
        ASSERT_GE(weighted_cdf(s, m, t), boost::math::cdf(boost::math::chi_squared(m), t) - 1e-8)
            << "seed " << seed << " m " << m;
      }
  }
}

TEST(Tails, RatioOfTwoSinglesIsTheWorst) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Vector a = random_weights(seed), b = random_weights(seed + 1000);
    for (const double m : {4.0, 7.0, 20.0, 50.0}) {
      const boost::math::fisher_f single(m, m);
      for (const double x : {boost::math::quantile(single, 0.01),
                             boost::math::quantile(single, 0.05), (m - 2) / (m + 2)}) {
        if (x > (m - 2) / (m + 2)) continue;
        Vector s(a.size() + b.size());
        s << a, -x * b;
        ASSERT_LE(weighted_cdf(s, m, 0), boost::math::cdf(single, x) + 1e-8)
            << "seed " << seed << " m " << m;
      }
    }
  }
}

// Few trajectories, where the sums above converge slowly.
TEST(Tails, FewTrajectoriesBySimulation) {
  const Index draws = test_count(100'000);
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const Vector s = random_weights(seed);
    for (const Index m : {1, 2, 3}) {
      const Matrix z = standard_normal_rows(test_stream(seed, 5), 0, draws, m * s.size());
      const Vector mean = z.cwiseAbs2() * s.replicate(m, 1) / static_cast<double>(m);
      for (const double delta : {0.05, 0.2}) {
        const double low = centred_factor(m, delta), high = centred_upper_factor(m, delta);
        EXPECT_LE((mean.array() <= low).count(), most_of(draws, delta));
        EXPECT_LE((mean.array() >= high).count(), most_of(draws, delta));
      }
    }
  }
}

}  // namespace
}  // namespace loopcert::testing
