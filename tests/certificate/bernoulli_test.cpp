#include "certificate/bernoulli.hpp"

#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

#include "certificate/largest_cost.hpp"
#include "random_system.hpp"

namespace loopcert::testing {
namespace {

TEST(Bernoulli, InversionsEndWhereTheEntropyIsC) {
  EXPECT_EQ(binary_kl(0.3, 0.3), 0);
  EXPECT_NEAR(binary_kl(0.1, 0.4), 0.1 * std::log(0.25) + 0.9 * std::log(1.5), 1e-15);
  EXPECT_TRUE(std::isinf(binary_kl(0.5, 1)));
  for (const double c : {1e-4, 0.03, 0.5, 3.0}) {
    for (const double a : {0.0, 1e-6, 0.2, 0.6}) {
      const double p = kl_upper(a, c);
      EXPECT_NEAR(binary_kl(a, p), c, 1e-9 * (1 + c)) << a << " " << c;
      EXPECT_GE(binary_kl(a, p), c * (1 - 1e-12));  // rounded outwards
    }
    for (const double p : {0.1, 1.0 / 3, 0.8}) {
      const double a = kl_lower(p, c);
      if (c >= -std::log1p(-p)) {
        EXPECT_EQ(a, 0);
      } else {
        EXPECT_NEAR(binary_kl(a, p), c, 1e-9 * (1 + c));
      }
    }
  }
  EXPECT_EQ(kl_upper(1, 0.1), 1);
  EXPECT_NEAR(kl_upper(0, 0.1), 1 - std::exp(-0.1), 1e-15);
}

// Better than Hoeffding's inequality, and than the self-bounding (p - a)^2 <= 2 p c.
TEST(Bernoulli, DominatesTheSimplerInequalities) {
  for (double c = 1e-4; c < 2; c *= 1.7)
    for (double a = 0; a < 1; a += 0.03) {
      const double p = kl_upper(a, c);
      EXPECT_LE(p, a + std::sqrt(c / 2) + 1e-12);
      EXPECT_LE(p, a + c + std::sqrt(c * c + 2 * a * c) + 1e-12);
    }
}

TEST(LargestCost, IsTheMaximumOverTheBall) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    WeightedResponse y{random_matrix(7, 5, seed), random_matrix(7, 1, seed + 100)};
    if (seed % 5 == 0) y.m.setZero();
    if (seed % 5 == 1) y.M.setZero();
    const double W = 0.3 + static_cast<double>(seed % 4);
    const double b = largest_cost(y, W);
    EXPECT_LE(b, std::pow(y.M.operatorNorm() * W + y.m.norm(), 2) * (1 + 1e-9));
    // Ascent from many starts: the gradient's direction, on the sphere. The longest direction of M
    // is one of them, since the ascent is slow where two are nearly as long.
    const Vector longest = Eigen::JacobiSVD<Matrix>(y.M, Eigen::ComputeThinV).matrixV().col(0);
    double best = y.m.squaredNorm();
    for (std::uint64_t start = 0; start < 22; ++start) {
      Vector w = start == 20   ? W * longest
                 : start == 21 ? -W * longest
                               : Vector(random_matrix(5, 1, 1000 * seed + start));
      for (int i = 0; i < 3000; ++i) {
        const Vector slope = y.M.transpose() * (y.M * w + y.m);
        if (slope.norm() == 0) break;
        w = W * slope.normalized();
      }
      if (w.norm() > W) w *= W / w.norm();
      best = std::max(best, (y.M * w + y.m).squaredNorm());
    }
    EXPECT_GE(b, best * (1 - 1e-13));
    EXPECT_NEAR(b, best, 1e-6 * best) << seed;
  }
}

}  // namespace
}  // namespace loopcert::testing
