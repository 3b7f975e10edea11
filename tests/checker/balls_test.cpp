// Balls and matrices of balls.
#include "balls/ball.hpp"

#include "numbers.hpp"

namespace verify::testing {
namespace {

TEST(Balls, HoldTheExactNumber) {
  const Ball third = Ball(1) / 3;
  EXPECT_LT(lower(third), upper(third));  // no double is a third: three times the ends say so
  EXPECT_LT(std::fma(3, lower(third), -1), 0);
  EXPECT_GT(std::fma(3, upper(third), -1), 0);
  EXPECT_EQ(upper(1 / Ball(0)), INFINITY);
  expect_ball(max_zero(-2), 0);
}

TEST(Balls, PositiveDefinite) {
  Mat hilbert(6, 6);
  for (long i = 0; i < 6; ++i)
    for (long j = 0; j < 6; ++j) hilbert.set(i, j, 1 / Ball(i + j + 1));
  EXPECT_TRUE(is_positive_definite(hilbert));  // smallest eigenvalue 1.1e-7
  EXPECT_FALSE(is_positive_definite(hilbert - Ball(1.2e-7) * identity(6)));
  EXPECT_TRUE(is_positive_definite(matrix(2, 2, {1e300, 0, 0, 1e-300})));  // in any units
  EXPECT_FALSE(is_positive_definite(matrix(2, 2, {1, 2, 2, 1})));
  EXPECT_FALSE(is_positive_definite(matrix(2, 2, {1, 1, 1, 1})));  // singular
}

TEST(Balls, Semidefinite) {
  const Mat one = matrix(2, 2, {1, 1, 1, 1});  // of rank one: more on the diagonal
  const Mat wider = *semidefinite(one);
  EXPECT_LE(lower(wider(0, 0)), 1);
  EXPECT_GT(upper(wider(0, 0)), 1);
  EXPECT_LE(upper(wider(0, 0)), 1 + 2e-12);
  EXPECT_EQ(upper(wider(0, 1)), 1);
  EXPECT_FALSE(semidefinite(matrix(2, 2, {1, 1 + 1e-11, 1 + 1e-11, 1})).has_value());
  EXPECT_EQ(upper((*semidefinite(matrix(2, 2, {0, 0, 0, 3})))(0, 0)), 0);
}

TEST(Balls, LargestEigenvalue) {
  const Bits more(256);  // an eigenvalue takes 40 squarings
  const double most = upper(largest_eigenvalue(matrix(2, 2, {2, 1, 1, 2})));
  EXPECT_GE(most, 3);
  EXPECT_LE(most, 3 * (1 + 1e-11));
}

TEST(Balls, UpperFactor) {
  const Mat A = matrix(3, 3, {4, 1, 0.5, 1, 3, 0.2, 0.5, 0.2, 2}), U = upper_factor(A);
  EXPECT_EQ(size_of(block(U, 1, 0, 2, 1)), 0);
  EXPECT_LE(size_of(U * transpose(U) - A), 1e-17);
  EXPECT_THROW(upper_factor(matrix(1, 1, {-1})), TooWide);
}

TEST(Balls, MoreBitsUntilItIsFound) {
  const slong before = bits;
  const auto attempt = [] { return bits >= 1024 ? std::optional<slong>(bits) : std::nullopt; };
  EXPECT_EQ(with_more_bits(attempt, "it"), 1024);
  EXPECT_EQ(bits, before);
  EXPECT_THROW(with_more_bits([] { return std::optional<int>(); }, "it"), TooWide);
}

}  // namespace
}  // namespace verify::testing
