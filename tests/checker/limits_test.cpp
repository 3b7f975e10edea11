// docs/theory/limits.md: tails, counts, reaches.
#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/non_central_t.hpp>
#include <boost/math/distributions/normal.hpp>

#include "lemmas/lemmas.hpp"
#include "numbers.hpp"

namespace verify::testing {
namespace {

TEST(NormalAbove, IsTheTail) {
  for (const double x : {-3.0, -0.1, 0.0, 1.0, 4.0, 6.0})
    expect_ball(normal_above(x) / (std::erfc(x / std::numbers::sqrt2) / 2), 1);
}

TEST(Violation, AddsTheSidesThereAre) {
  const double tail = std::erfc(1 / std::numbers::sqrt2) / 2;
  expect_ball(violation({-2, 2}, 0, 2), 2 * tail);
  expect_ball(violation({-INFINITY, 2}, 0, 2), tail);
  expect_ball(violation({-2, INFINITY}, 0, 2), tail);
  expect_ball(violation({-1, 5}, 1, 2), tail + std::erfc(2 / std::numbers::sqrt2) / 2);
  EXPECT_EQ(upper(violation({-2, 2}, 0, 0)), 0);  // it never varies
  EXPECT_LE(upper(violation({-2, 2}, 1, 1e9)), 1);
}

TEST(Violation, OfAMeanOutsideIsOne) {
  for (const double mean : {-2.0, 2.0, 3.0, -9.0})
    EXPECT_EQ(lower(violation({-2, 2}, mean, 1e-9)), 1) << mean;
  Ball wide(2);
  arb_add_error_2exp_si(wide.x, -50);
  EXPECT_THROW(violation({-2, 2}, wide, 1), TooWide);
}

// A deviation that may be zero, or anything up to its upper end.
TEST(Violation, GrowsWithTheDeviation) {
  Ball wide(0.5);
  arb_add_error(wide.x, Ball(0.5).x);
  const Ball found = violation({-2, 2}, 0, wide);
  EXPECT_LE(lower(found), 0);
  EXPECT_GE(upper(found), std::erfc(2 / std::numbers::sqrt2));
  EXPECT_LE(upper(found), std::erfc(2 / std::numbers::sqrt2) * 1.001);
}

TEST(CountAbove, IsTheQuantileOfABeta) {
  expect_just_above(count_above(0, 59, 0.05), 1 - std::pow(0.05, 1.0 / 59));
  EXPECT_LE(count_above(0, 59, 0.05), 0.05);  // without a failure 59 episodes are enough for 5 %
  EXPECT_GT(count_above(0, 58, 0.05), 0.05);
  EXPECT_LE(count_above(0, 299, 0.05), 0.01);
  EXPECT_GT(count_above(0, 298, 0.05), 0.01);
  EXPECT_EQ(count_above(7, 7, 0.5), 1);
  for (const long n : {5, 40, 1000})
    for (const long k : {0, 1, 4})
      for (const double delta : {1e-6, 0.05, 0.5}) {
        const boost::math::beta_distribution<> law(static_cast<double>(k + 1),
                                                   static_cast<double>(n - k));
        EXPECT_NEAR(count_above(k, n, delta), quantile(complement(law, delta)), 1e-10);
      }
}

// The one-sided tolerance factors of textbooks, to their digits: content and confidence 95 %.
TEST(TailAbove, GivesTheFactorsOfTextbooks) {
  const std::vector<std::pair<long, double>> factors = {
      {10, 2.911}, {20, 2.396}, {50, 2.065}, {100, 1.927}};
  for (const auto& [n, k] : factors) {
    EXPECT_LT(upper(tail_above(k + 0.001, n, 0.05)), 0.05);
    EXPECT_GT(lower(tail_above(k - 0.001, n, 0.05)), 0.05);
  }
}

TEST(TailAbove, IsTheRootInTheNoncentrality) {
  for (const long n : {2, 3, 10, 60})
    for (const double k : {-1.0, 0.0, 0.7, 2.5})
      for (const double delta : {1e-4, 0.05, 0.5}) {
        const Ball p = tail_above(k, n, delta);
        const double root = std::sqrt(static_cast<double>(n));
        const double z = -quantile(boost::math::normal(), (lower(p) + upper(p)) / 2);
        const boost::math::non_central_t law(static_cast<double>(n - 1), z * root);
        EXPECT_NEAR(cdf(complement(law, k * root)), delta, 1e-8 * delta + 1e-10) << n << " " << k;
        EXPECT_LE(upper(p) - lower(p), 1e-9 * upper(p));
      }
}

TEST(TailAbove, FarAwayIsNegligible) {
  EXPECT_LT(upper(tail_above(1e6, 20, 0.01)), 1e-22);
  EXPECT_LE(lower(tail_above(1e6, 20, 0.01)), 0);
}

// It fails no more often than it says, and not much less often.
TEST(TailAbove, HoldsForDraws) {
  constexpr long n = 6, rounds = 4000;
  constexpr double delta = 0.3, limit = 1.2;
  const double exact = std::erfc(limit / std::numbers::sqrt2) / 2;
  Normal normal(1);
  double failed = 0;
  for (long r = 0; r < rounds; ++r) {
    double sum = 0, squares = 0;
    for (long i = 0; i < n; ++i) {
      const double v = normal();
      sum += v;
      squares += v * v;
    }
    const double s = std::sqrt((squares - sum * sum / n) / (n - 1));
    failed += upper(tail_above((limit - sum / n) / s, n, delta)) < exact;
  }
  EXPECT_LE(failed, most_of(rounds, delta));
  EXPECT_GE(failed, least_of(rounds, delta));
}

TEST(Reach, OfEachSet) {
  const Mat row = matrix(1, 4, {3, -4, 0, 12});
  expect_ball(reach_of_box(row, {1, 0.5}), 3 + 2 + 6);
  expect_ball(reach_of_steps(row, 2, 2), 2 * (5 + 12));
  expect_ball(reach_of_ball(row, 2), 26);
}

}  // namespace
}  // namespace verify::testing
