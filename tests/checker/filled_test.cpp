// docs/theory/chi-square.md, items 4 to 6.
#include <boost/math/special_functions/gamma.hpp>

#include "lemmas/lemmas.hpp"
#include "numbers.hpp"

namespace verify::testing {
namespace {

TEST(EigenvalueSums, OfKnownSpectra) {
  const std::vector<double> sums = eigenvalue_sums(matrix(3, 3, {1, 0, 0, 0, 5, 0, 0, 0, 2}));
  ASSERT_EQ(sums.size(), 3U);
  expect_just_above(sums[0], 5);
  expect_just_above(sums[1], 7);
  expect_just_above(sums[2], 8);
  // 2 and 4 along the diagonals of a square; one direction alone.
  const std::vector<double> turned = eigenvalue_sums(matrix(2, 2, {3, 1, 1, 3}));
  expect_just_above(turned[0], 4);
  expect_just_above(turned[1], 6);
  const std::vector<double> one = eigenvalue_sums(matrix(2, 2, {1, 2, 2, 4}));
  EXPECT_NEAR(one[0], 5, 1e-12);
  EXPECT_GE(one[0], 5);
  EXPECT_NEAR(one[1], 5, 1e-12);
  EXPECT_EQ(eigenvalue_sums(Mat(2, 2)).back(), 0);
}

// The largest is largest_eigenvalue(), all of them are the trace.
TEST(EigenvalueSums, OfDrawnMatrices) {
  Normal normal(5);
  for (const long n : {1L, 4L, 12L}) {
    Mat A(n, n);
    for (long i = 0; i < n; ++i)
      for (long j = 0; j < n; ++j) A.set(i, j, normal() * std::pow(10.0, -0.3 * j));
    const Mat S = A * transpose(A);
    const std::vector<double> sums = eigenvalue_sums(S);
    EXPECT_NEAR(sums[0], upper(largest_eigenvalue(S)), 2e-11 * sums[0]);
    EXPECT_NEAR(sums.back(), upper(trace(S)), 1e-11 * sums.back());
    EXPECT_GE(sums.back(), lower(trace(S)));
    for (size_t k = 2; k < sums.size(); ++k)
      EXPECT_LE(sums[k] - sums[k - 1], (sums[k - 1] - sums[k - 2]) * (1 + 1e-9));
  }
}

// Equal scales are one gamma variable.
TEST(LogChanceBelow, IsAboveTheExactOneAndClose) {
  for (const long count : {1L, 3L})
    for (const double shape : {0.5, 15.0, 100.0}) {
      const double all = static_cast<double>(count) * shape;
      const double t = std::max(all - 2.3 * std::sqrt(all), 0.1 * all);
      const std::vector<double> s(static_cast<size_t>(count), 0.01);
      const double exact = std::log(boost::math::gamma_p(all, t));
      for (const double share : {0.3, 1.0, 1.1, 3.0}) {
        const Ball found = log_chance_below(s, shape, 0.01 * t, share * (all / t - 1) / 0.01);
        EXPECT_GE(upper(found), exact - 1e-13) << share;
        if (share > 0.9 && shape > 1) {
          EXPECT_LE(upper(found), exact + 1e-9) << count << " " << shape;
        }
      }
    }
}

// Equal scales have the quantile of one gamma variable; the margin is never above one that is
// known, nor below 2/n of the largest eigenvalue.
TEST(QuantileMargin, OfEqualScales) {
  const long n = 20;
  for (const double delta : {0.3, 0.05}) {
    const double q = boost::math::gamma_p_inv(2.0 * n, delta) / (2.0 * n), margin = 4 * (1 - q);
    for (const double lambda : {0.5, 1.0, 1.5}) {
      const double found = upper(quantile_margin({1, 1, 1, 1}, n, delta, lambda, 3));
      EXPECT_GE(found, margin * (1 - 1e-12));
      EXPECT_LE(found, margin * (1 + 1e-6));
    }
    expect_ball(quantile_margin({1, 1, 1, 1}, n, delta, 1, 0.1), 0.1);
  }
  expect_just_above(upper(quantile_margin({1, 0.3, 0.2}, 13, 0.5, 0.5, 1.4)), 2.0 / 13);
  expect_ball(quantile_margin({}, 5, 0.1, 1, 0.25), 0.25);
}

TEST(EigenvaluesAbove, LargestFirst) {
  const std::vector<double> values = eigenvalues_above(matrix(3, 3, {1, 0, 0, 0, 5, 0, 0, 0, 2}));
  ASSERT_EQ(values.size(), 3U);
  expect_just_above(values[0], 5);
  expect_just_above(values[1], 2);
  expect_just_above(values[2], 1);
}

TEST(FilledValue, SingleChiSquareWhereNothingIsKnown) {
  const double single = 2 / chi_square_below(20, 0.01);
  for (const double lambda : {0.0, 0.1, 1.0}) {
    expect_just_above(filled_value({1e9}, 2, 20, 0.01, lambda), single);
    expect_just_above(filled_value({2.5}, 2, 20, 0.01, lambda), 2.5);  // of all eigenvalues
  }
  const std::vector<double> fine = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 9.0};
  EXPECT_LT(filled_value(fine, 1, 20, 0.01, 3.0), 1.5);
  expect_just_above(filled_value(fine, 1, 20, 0.01, 0), 1 / chi_square_below(20, 0.01));
  EXPECT_GE(filled_value({9.0}, 0, 20, 0.01, 1), 0);
}

// Equal scales that fill exactly: their sum is a gamma variable of 4 n/2, of which the mean is at
// the quantile. A little less than the value does not exclude.
TEST(FilledValue, IsTheQuantileOfEqualScales) {
  const long n = 30;
  const double x = 1 / 1.2;
  const double delta = boost::math::gamma_p(2.0 * n, 2.0 * n * x);
  const std::vector<double> caps = {0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75};
  double least = INFINITY;
  for (double lambda = 0.1; lambda < 20; lambda *= 1.1)
    least = std::min(least, filled_value(caps, x, n, delta, lambda));
  EXPECT_GE(least, 1);
  EXPECT_LE(least, 1.01);
}

}  // namespace
}  // namespace verify::testing
