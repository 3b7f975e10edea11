// docs/theory/chi-square.md, fixed-response.md (item 2) and improvement.md (item 1).
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/special_functions/gamma.hpp>

#include "lemmas/lemmas.hpp"
#include "numbers.hpp"

namespace verify::testing {
namespace {

TEST(GammaTails, ClosedForms) {
  for (const double x : {0.01, 0.7, 3.0, 20.0}) {
    expect_ball(gamma_above(0.5, x), std::erfc(std::sqrt(x)));
    expect_ball(gamma_above(1, x), std::exp(-x));
    expect_ball(gamma_above(3, x), std::exp(-x) * (1 + x + x * x / 2));
    expect_ball(gamma_below(2, x), 1 - std::exp(-x) * (1 + x));
  }
}

// Another s in each entry, whole and half ones, by the continued fraction of Boost.
TEST(GammaLadder, IsTheUpperIncompleteGammaFunction) {
  const Bits more(128);
  for (const double first : {0.5, 1.0, 3.5, 6.0})
    for (const double x : {0.02, 1.3, 9.0}) {
      const std::vector<Ball> ladder = gamma_ladder(first, x, 4);
      ASSERT_EQ(ladder.size(), 4U);
      for (size_t i = 0; i < 4; ++i)
        expect_ball(ladder[i] / boost::math::tgamma(first + static_cast<double>(i), x), 1);
    }
}

TEST(LargestWith, FindsTheRootFromBelow) {
  const auto excess = [](double x) { return Ball(x) * x - 2; };
  expect_just_below(largest_with(excess, 2), std::numbers::sqrt2);
  EXPECT_EQ(largest_with(excess, 1), 1);  // not above its limit
  EXPECT_THROW(largest_with([](double) { return Ball(1); }, 1), TooWide);
}

TEST(ChiSquare, BelowIsTheQuantile) {
  expect_just_below(chi_square_below(2, 0.05), -std::log(1 - 0.05));  // of an exponential
  EXPECT_EQ(chi_square_below(2, 0.9), 1);                             // the lemma ends at the mean
  for (const long n : {1, 3, 25, 100})
    for (const double delta : {1e-6, 0.05, 0.3}) {
      const boost::math::chi_squared law(static_cast<double>(n));
      EXPECT_NEAR(chi_square_below(n, delta) * static_cast<double>(n), quantile(law, delta),
                  1e-9 * quantile(law, delta));
    }
}

// docs/theory/frobenius.md
TEST(ChiSquare, SpreadIsOfTheQuantileFromSqrt2OverNOn) {
  expect_just_above(spread_factor(2, 0.05), -1 / std::log(1 - 0.05) - 1);
  for (const long n : {2, 50}) {
    expect_just_above(spread_factor(n, 0.5), std::numbers::sqrt2 / static_cast<double>(n));
    EXPECT_GT(spread_factor(n, 0.43), std::numbers::sqrt2 / static_cast<double>(n));
  }
  expect_just_above(spread_factor(1, 0.6), 1 / quantile(boost::math::chi_squared(1.0), 0.6) - 1);
  EXPECT_NEAR(spread_factor(100, 0.05), 100 / quantile(boost::math::chi_squared(100.0), 0.05) - 1,
              1e-12);
}

TEST(ChiSquare, AboveIsTheQuantileFromTwoUnitsOn) {
  expect_just_above(chi_square_above(2, 0.01), std::log(100));
  expect_just_above(chi_square_above(2, 0.9), 2);
  expect_just_above(chi_square_above(50, 0.5), 1.04);
  const boost::math::chi_squared law(25);
  EXPECT_NEAR(chi_square_above(25, 0.01) * 25, quantile(complement(law, 0.01)), 1e-9);
}

TEST(ChiSquare, RatioIsTheQuantileOfF) {
  // P(F <= x) of F(4, 4) is 3y^2 - 2y^3 with y = x/(1 + x): 13/125 at x = 1/4.
  expect_just_below(chi_square_ratio(4, 13.0 / 125), 0.25);
  expect_just_below(chi_square_ratio(4, 0.45), std::max(1.0 / 3, scale_free_ratio(4, 0.45)));
  EXPECT_EQ(chi_square_ratio(2, 0.1), scale_free_ratio(2, 0.1));  // F(2, 2) has no such range
  const boost::math::fisher_f law(30, 30);
  EXPECT_NEAR(chi_square_ratio(30, 0.02), quantile(law, 0.02), 1e-9);
}

TEST(ScaleFree, RootsChosenFirst) {
  for (const double n : {10.0, 40.0})
    for (const double x : {0.1, 0.5, 0.9}) {
      const auto count = static_cast<long>(n);
      expect_just_below(scale_free_below(count, std::exp(-n / 2 * (x - 1 - std::log(x)))), x);
      const double y = 1 / x;
      expect_just_above(scale_free_above(count, std::exp(-n / 2 * (y - 1 - std::log(y)))), y);
      expect_just_below(scale_free_ratio(count, std::pow(4 * x / ((1 + x) * (1 + x)), n / 2)), x);
    }
}

// Costs with two eigenvalues, and with a mean: each factor fails no more often than it says.
TEST(ScaleFree, HoldsForDrawnCosts) {
  constexpr long n = 8, rounds = 20000;
  constexpr double delta = 0.1;
  const double centred = chi_square_below(n, delta), any = scale_free_below(n, delta);
  const double up = chi_square_above(n, delta), any_up = scale_free_above(n, delta);
  const double ratio = chi_square_ratio(n, delta), any_ratio = scale_free_ratio(n, delta);
  Normal normal(1);
  double failed[6] = {};
  for (long r = 0; r < rounds; ++r) {
    double plain = 0, shifted = 0, other = 0;
    for (long i = 0; i < n; ++i) {
      const double a = normal(), b = normal(), c = normal();
      plain += (0.9 * a * a + 0.1 * b * b) / n;
      shifted += (a + 0.5) * (a + 0.5) / 1.25 / n;
      other += c * c / n;
    }
    failed[0] += plain < centred;
    failed[1] += shifted < any;
    failed[2] += plain > up;
    failed[3] += shifted > any_up;
    failed[4] += plain < ratio * other;
    failed[5] += shifted < any_ratio * other;
  }
  for (const double count : failed) EXPECT_LE(count, most_of(rounds, delta));
  EXPECT_GE(failed[0], least_of(rounds, 0.05));  // and the quantile is not far from sharp
}

}  // namespace
}  // namespace verify::testing
