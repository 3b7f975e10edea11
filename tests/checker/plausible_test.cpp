// docs/trust.md: what chance does once in 10^10, and what rounding costs.
#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/chi_squared.hpp>

#include "lemmas/lemmas.hpp"
#include "numbers.hpp"

namespace verify::testing {
namespace {

TEST(Plausible, LaurentMassartIsAboveTheQuantile) {
  expect_ball(laurent_massart(4, 4), 20);
  for (const long n : {1, 10, 1000})
    for (const double t : {1.0, 5.0, 25.0}) {
      const boost::math::chi_squared law(static_cast<double>(n));
      const double most = upper(laurent_massart(n, t));
      EXPECT_LE(cdf(complement(law, most)), std::exp(-t));
      EXPECT_GE(cdf(complement(law, most)), std::exp(-2.5 * t - 2));  // and of its size
    }
}

TEST(Plausible, Markov) { expect_ball(markov(5, std::log(1e10)), 5e10); }

// n mean^2 / sum of squares is Beta(1/2, (n - 1)/2).
TEST(Plausible, TwoCapsAreAboveTheirPartOfTheSphere) {
  expect_ball(two_caps(3, 0.25), std::log(0.25));
  for (const long n : {3, 11, 40})
    for (const double b : {0.2, 0.7, 0.95}) {
      const boost::math::beta_distribution law(0.5, static_cast<double>(n - 1) / 2);
      const double part = cdf(complement(law, b)), bound = std::exp(upper(two_caps(n, 1 - b)));
      EXPECT_LE(part, bound * (1 + 1e-12));
      EXPECT_GE(part, bound / 20);
    }
}

TEST(Plausible, LengthsOnALine) {
  Normal normal(7);
  std::vector<double> drawn, near, wide;
  for (int i = 0; i < 40; ++i) {
    drawn.push_back(std::abs(normal()));
    near.push_back(1 + 0.05 * i / 40);  // within 10 %
    wide.push_back(1 + 0.9 * i / 40);   // within 100 %
  }
  EXPECT_TRUE(likely_on_a_line(drawn));  // refused but once in 10^10
  EXPECT_FALSE(likely_on_a_line(near));
  EXPECT_FALSE(likely_on_a_line(wide));
  EXPECT_TRUE(likely_on_a_line({1, 1}));  // two say little: 2 p for p = 0.484 log 1.1
}

// With p = 0.484 log 2, all n lengths within a factor of 2 have probability at most n p^(n - 1):
// 1e-10 is passed between n = 24 and n = 25.
TEST(Plausible, LengthsOnALineAtTheThreshold) {
  const auto chance = [](double n) { return n * std::pow(0.484 * std::numbers::ln2, n - 1); };
  long n = 2;
  while (chance(static_cast<double>(n)) >= 1e-10) ++n;
  const auto spread = [](long count) {
    std::vector<double> lengths;
    for (long i = 0; i < count; ++i)
      lengths.push_back(std::pow(2, static_cast<double>(i) / static_cast<double>(count)));
    return lengths;
  };
  EXPECT_TRUE(likely_on_a_line(spread(n - 1)));
  EXPECT_FALSE(likely_on_a_line(spread(n)));
}

TEST(Plausible, RoundingCost) {
  expect_ball(rounding_cost(matrix(1, 1, {0.25}), matrix(1, 1, {1}), 4), 0.25 + 2 * 2 * 0.5);
  // Roots 0.5 and 0.3 * 2: g = 1.1^2.
  expect_ball(rounding_cost(matrix(2, 2, {0.25, 0.1, 0.1, 0.09}), matrix(2, 1, {1, 4}), 9),
              1.21 + 2 * 3 * 1.1);
  expect_ball(rounding_cost(Mat(2, 2), ones(2, 1), 9), 0);
}

// E|(M + Delta)z|^2 <= V + cost, for maps and second moments drawn at random.
TEST(Plausible, RoundingCostHolds) {
  Normal normal(8);
  for (int k = 0; k < 200; ++k) {
    Mat M(2, 2), Delta(2, 2), F(2, 2);
    for (Mat* part : {&M, &Delta, &F})
      for (long i = 0; i < 4; ++i) part->set(i / 2, i % 2, normal());
    const Mat second = F * transpose(F), both = M + Delta;
    const Ball V = dot(transpose(M) * M, second);
    const Ball cost = rounding_cost(transpose(Delta) * Delta, diagonal(second), V);
    EXPECT_LE(lower(dot(transpose(both) * both, second)), upper(V + cost));
  }
}

}  // namespace
}  // namespace verify::testing
