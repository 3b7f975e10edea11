// docs/theory/bounded-hold-out.md: bounded disturbances, bounded kurtosis.
#include "lemmas/lemmas.hpp"
#include "numbers.hpp"

namespace verify::testing {
namespace {

TEST(AnyLaw, KlUpper) {
  expect_just_above(upper(kl_upper(0, 0.5)), 1 - std::exp(-0.5));
  expect_just_above(upper(kl_upper(0.5, std::log(4.0 / 3) / 2)), 0.75);
  const double kl = 0.2 * std::log(0.2 / 0.3) + 0.8 * std::log(0.8 / 0.7);
  expect_just_above(upper(kl_upper(0.2, kl)), 0.3);
}

TEST(AnyLaw, LargestCostOnALine) {
  const Bits more(256);  // an eigenvalue takes 40 squarings
  // 2w^2 + 3w + 1 on [-2, 2]
  const Ball most = largest_cost(matrix(2, 2, {1, 1.5, 1.5, 2}), 2);
  EXPECT_GE(upper(most), 15);
  EXPECT_LE(upper(most), 15 + 1e-6);
}

TEST(AnyLaw, LargestCostWithoutOffset) {
  const Bits more(256);  // an eigenvalue takes 40 squarings
  const Ball most = largest_cost(matrix(3, 3, {2, 0, 0, 0, 3, 0, 0, 0, 1}), 2);
  EXPECT_GE(upper(most), 14);
  EXPECT_LE(upper(most), 14 + 1e-9);
}

TEST(AnyLaw, LargestCostOnACircle) {
  const Bits more(256);  // an eigenvalue takes 40 squarings
  // A convex cost is largest on the circle: 10^5 points of it.
  const Mat G = matrix(3, 3, {0.5, 0.3, -0.7, 0.3, 2, 0.4, -0.7, 0.4, 1});
  double largest = 0;
  for (int k = 0; k < 100000; ++k) {
    const double t = 2 * std::numbers::pi * k / 100000, x = 1.5 * std::cos(t),
                 y = 1.5 * std::sin(t);
    largest = std::max(largest, 0.5 + 2 * (0.3 * x - 0.7 * y) + 2 * x * x + 0.8 * x * y + y * y);
  }
  const double most = upper(largest_cost(G, 1.5));
  EXPECT_GE(most, largest);
  EXPECT_LE(most, largest * (1 + 1e-6));
}

TEST(AnyLaw, FourthMomentFactor) {
  const auto kl = [](double a, double p) {
    return a * std::log(a / p) + (1 - a) * std::log((1 - a) / (1 - p));
  };
  for (const double kappa : {2.0, 3.0, 9.0})
    for (const double x : {0.2, 0.7})
      expect_just_below(fourth_moment_factor(60, std::exp(-60 * kl(x / kappa, 1 / kappa)), kappa),
                        x);
  EXPECT_THROW(fourth_moment_factor(7, 0.05, 3), TooWide);  // (2/3)^7 > 0.05: no such factor
}

// The worst case is a coin: kappa with probability 1/kappa. It fails no more often than delta.
TEST(AnyLaw, HoldsForTheCoin) {
  constexpr long n = 40, rounds = 2000;
  constexpr double delta = 0.1;
  const double x = fourth_moment_factor(n, delta, 3);
  std::mt19937_64 draw(4);
  double low = 0, outside = 0;
  for (long r = 0; r < rounds; ++r) {
    double heads = 0;
    for (long i = 0; i < n; ++i) heads += draw() % 3 == 0;
    low += 3 * heads / n < x;
    outside += upper(kl_upper(heads / n, std::log(1 / delta) / n)) < 1.0 / 3;
  }
  EXPECT_LE(low, most_of(rounds, delta));
  EXPECT_LE(outside, most_of(rounds, delta));
  EXPECT_GE(low, least_of(rounds, delta / 20));
}

}  // namespace
}  // namespace verify::testing
