// docs/theory/chi-square.md, 5 and 6: sums of gamma variables, and the margin under an envelope.
#include "certificate/gamma_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

#include "chance.hpp"
#include "gamma_chance.hpp"
#include "loopcert/core/random.hpp"
#include "random_system.hpp"
#include "seed.hpp"

namespace loopcert::testing {
namespace {

// Equal scales are one gamma variable. Any line is a bound; near the saddle point it is exact.
TEST(GammaSum, ChanceIsAboveTheExactOneAndClose) {
  for (const Index count : {1, 3})
    for (const double shape : {0.5, 2.0, 15.0, 100.0}) {
      const auto all = static_cast<double>(count) * shape;
      const double t = std::max(all - 2.3 * std::sqrt(all), 0.1 * all), scale = 0.01;
      const Vector s = Vector::Constant(count, scale);
      const double exact = boost::math::gamma_p(all, t);
      for (const double share : {0.3, 0.9, 1.0, 1.1, 3.0}) {
        const double lambda = share * (all / t - 1) / scale;  // times that of the saddle point
        const double found = std::exp(log_chance_below(s, shape, scale * t, lambda));
        EXPECT_GE(found, exact * (1 - 1e-13)) << share;
        if (share >= 0.9) {
          EXPECT_LE(found, exact * (shape > 2   ? 1 + 1e-9
                                    : shape < 1 ? 1.2
                                                : 1.01))
              << count << " " << shape;
        }
      }
    }
  EXPECT_EQ(log_chance_below(Vector::Ones(2), 1, 0, 1), -INFINITY);
}

TEST(GammaSum, ChanceIsThatOfTheIntegral) {
  for (std::uint64_t k = 0; k < 20; ++k) {
    const Vector s = random_matrix(2 + static_cast<Index>(k % 5), 1, test_seed(40 + k)).cwiseAbs();
    const double shape = 3 + 2.5 * static_cast<double>(k % 4), mean = shape * s.sum();
    for (const double part : {0.5, 0.8, 1.0, 1.2}) {
      const double lambda = std::max(1 / part - 1, 0.2) / s.maxCoeff();
      EXPECT_NEAR(std::exp(log_chance_below(s, shape, part * mean, lambda)),
                  chance_below(s, shape, part * mean), 1e-7);
    }
  }
}

// lambda of the saddle point's size.
double margin_of(const Vector& s, Index n, double delta) {
  const double lambda = 1 / std::sqrt(0.5 * static_cast<double>(n) * s.squaredNorm());
  return quantile_margin(s, n, delta, 1.5 * lambda, s.sum() * (1 - 1e-6));
}

TEST(QuantileMargin, OfEqualScalesIsTheChiSquare) {
  for (const Index count : {1, 4})
    for (const Index n : {8, 40, 300})
      for (const double delta : {0.2, 0.05, 1e-3}) {
        const Vector s = Vector::Constant(count, 3.0);
        const auto all = static_cast<double>(count * n);
        const double q = quantile(boost::math::chi_squared(all), delta) / static_cast<double>(n);
        const double margin = 3 * (static_cast<double>(count) - q),
                     least = 6.0 / static_cast<double>(n);
        const double found = margin_of(s, n, delta);
        EXPECT_GE(found, margin);
        EXPECT_NEAR(found, std::max(margin, least), 1e-4 * margin) << count << " " << n;
        // What is known may be smaller.
        EXPECT_EQ(quantile_margin(s, n, delta, 1, 0.5 * margin), 0.5 * margin);
      }
  EXPECT_EQ(quantile_margin(Vector(0), 5, 0.1, 1, 0.25), 0.25);
}

// At delta = 0.5 moving an eigenvalue may do harm: the margin is the largest over shape, then.
TEST(QuantileMargin, NeverBelowTwiceTheLargestOverTheNumberOfTrajectories) {
  const Vector s = Eigen::Vector3d(1, 0.3, 0.2);
  EXPECT_DOUBLE_EQ(margin_of(s, 13, 0.5), 2.0 / 13);
  EXPECT_LT(1.5 - quantile_margin(s, 13, 0.05, 1, 1.4), 1.5 - 2.0 / 13);
}

// No spectrum below S fails more often, and S itself as often as it may; a larger one has a larger
// margin.
TEST(QuantileMargin, HoldsForEverySpectrumBelow) {
  for (std::uint64_t k = 0; k < 60; ++k) {
    const std::uint64_t seed = test_seed(7000 + 3 * k);
    const Index d = 1 + static_cast<Index>(k % 5), n = 5 + 7 * static_cast<Index>(k % 3);
    const Vector S = random_matrix(d, 1, seed).cwiseAbs2();
    const double shape = 0.5 * static_cast<double>(n);
    for (const double delta : {0.5, 0.3, 0.05}) {
      const double margin = margin_of(S, n, delta);
      const auto failure = [&](const Vector& s) {
        return margin < s.sum() ? chance_below(s, shape, shape * (s.sum() - margin)) : 0.0;
      };
      if (margin > 2 * S.maxCoeff() / static_cast<double>(n)) {
        EXPECT_NEAR(failure(S), delta, 1e-4 * delta);
      }
      for (const std::uint64_t way : {1, 2}) {
        Vector part = random_matrix(d, 1, seed + way).cwiseAbs().cwiseMin(1.0);
        if (way == 2) part = part.array().round().max(1e-9);
        const Vector s = S.cwiseProduct(part);
        EXPECT_LE(failure(s), delta * (1 + 1e-4)) << k << " " << delta;
        EXPECT_LE(margin_of(s, n, delta), margin * (1 + 1e-9));
      }
    }
  }
}

// Counted, where the envelope is the covariance.
TEST(QuantileMargin, FailsAsOftenAsItMay) {
  const Index sets = test_count(4000, 1000), n = 12;
  const Eigen::Vector2d s(0.6, 0.4);
  const double margin = margin_of(s, n, 0.3);
  Index failed = 0;
  for (Index i = 0; i < sets; ++i) {
    const Matrix g =
        standard_normal_rows(test_stream(4713, static_cast<std::uint64_t>(i)), 0, n, 2);
    failed += (g.cwiseAbs2() * s).mean() + margin < 1;
  }
  EXPECT_LE(failed, most_of(sets, 0.3));
  EXPECT_GE(failed, least_of(sets, 0.3));
}

}  // namespace
}  // namespace loopcert::testing
