#include "loopcert/core/random.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "chance.hpp"
#include "seed.hpp"

namespace loopcert {
namespace {

// Philox 4x64-10 known answers (Random123's kat_vectors: counter and key all zero; all ones).
TEST(RandomBits, ZeroCounterAndKey) {
  const RandomBits bits = random_bits({0, 0}, 0, 0);
  EXPECT_EQ(bits.word[0], 0x16554d9eca36314cULL);
  EXPECT_EQ(bits.word[1], 0xdb20fe9d672d0fdcULL);
  EXPECT_EQ(bits.word[2], 0xd7e772cee186176bULL);
  EXPECT_EQ(bits.word[3], 0x7e68b68aec7ba23bULL);
}

// Phi(normal_quantile(p)) = p, with Phi from the C library's erfc.
TEST(NormalQuantile, InvertsTheDistribution) {
  for (int i = 1; i < 2000; ++i) {
    const double p = i / 2000.0;
    const double x = normal_quantile(p);
    EXPECT_NEAR(0.5 * std::erfc(-x / std::sqrt(2.0)), p, 1e-15 + 4e-16);
  }
  for (int e = 4; e < 300; ++e) {
    const double p = std::pow(10.0, -e);
    const double x = normal_quantile(p);
    EXPECT_NEAR(0.5 * std::erfc(-x / std::sqrt(2.0)) / p, 1.0, 1e-12) << e;
  }
  EXPECT_EQ(normal_quantile(0.5), 0.0);
}

TEST(Uniform, StaysInsideTheOpenInterval) {
  EXPECT_GT(uniform_from_bits(0), 0.0);
  EXPECT_LT(uniform_from_bits(~0ULL), 1.0);
}

// The means of powers 1 to 4 of 400,000 normals, and of 400 products.
TEST(StandardNormal, HasTheRightMoments) {
  const Index n = 1000, d = 400;
  const Matrix z = standard_normal_rows(testing::test_stream(42, 7), 0, n, d);
  const double root = std::sqrt(static_cast<double>(n * d)), s = testing::sigmas;
  EXPECT_NEAR(z.mean(), 0, s / root);
  EXPECT_NEAR(z.array().square().mean(), 1, s * std::sqrt(2.0) / root);
  EXPECT_NEAR(z.array().cube().mean(), 0, s * std::sqrt(15.0) / root);
  EXPECT_NEAR(z.array().square().square().mean(), 3, s * std::sqrt(96.0) / root);
  // No two trajectories, cells or seeds share a stream.
  EXPECT_LT(std::abs(z.row(0).dot(z.row(1))) / d, s / std::sqrt(static_cast<double>(d)));
  EXPECT_NE(standard_normal_rows(testing::test_stream(42, 8), 0, 1, 4), z.topLeftCorner(1, 4));
  EXPECT_NE(standard_normal_rows(testing::test_stream(43, 7), 0, 1, 4), z.topLeftCorner(1, 4));
}

TEST(StandardNormal, IsAFunctionOfTheTrajectoryAlone) {
  const Matrix all = standard_normal_rows(testing::test_stream(1, 2), 0, 20, 9);
  EXPECT_EQ(standard_normal_rows(testing::test_stream(1, 2), 5, 10, 9), all.middleRows(5, 10));
  EXPECT_EQ(standard_normal_rows(testing::test_stream(1, 2), 5, 10, 4), all.block(5, 0, 10, 4));
}

}  // namespace
}  // namespace loopcert
