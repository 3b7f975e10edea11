// docs/theory/covariance-envelopes.md: the smallest eigenvalue of a Wishart matrix.
#include <boost/math/distributions/chi_squared.hpp>

#include "lemmas/lemmas.hpp"
#include "numbers.hpp"

namespace verify::testing {
namespace {

// For n = d + 1 the density of the eigenvalues is exp(-sum/2) times their differences: moved up by
// x it loses e^(-dx/2), which is the probability that the smallest exceeds x.
TEST(Wishart, IsExponentialForOneMoreThanItsSize) {
  for (const long d : {1, 2, 3, 5, 8}) {
    const double exact = -2 * std::log(1 - 0.05) / static_cast<double>(d * (d + 1));
    expect_just_below(wishart_by_quantile(d, d + 1, 0.05), exact);
    EXPECT_EQ(wishart_floor(d, d + 1, 0.05), wishart_by_quantile(d, d + 1, 0.05));
  }
}

TEST(Wishart, IsChiSquareForSizeOne) {
  for (const long n : {4, 25, 200}) {
    const double exact =
        quantile(boost::math::chi_squared(static_cast<double>(n)), 0.025) / static_cast<double>(n);
    EXPECT_NEAR(wishart_by_quantile(1, n, 0.025), exact, 1e-10);
    EXPECT_NEAR(wishart_by_density(1, n, 0.025), exact, 1e-10);  // nothing was bounded
  }
}

TEST(Wishart, RoutesThatBoundStayBelow) {
  // d/n = 1/25 and 2 log(1/delta)/n = 1/25: (1 - 1/5 - 1/5)^2.
  expect_just_below(wishart_by_concentration(4, 100, std::exp(-2)), 0.36);
  EXPECT_EQ(wishart_by_concentration(4, 5, 0.1), 0);
  for (const long d : {2, 7})
    for (const long n : {d + 2, 4 * d, 30 * d}) {
      const double exact = wishart_by_quantile(d, n, 0.02);
      EXPECT_LT(wishart_by_density(d, n, 0.02), exact);
      EXPECT_GT(wishart_by_density(d, n, 0.02), 0.2 * exact);
      EXPECT_LT(wishart_by_concentration(d, n, 0.02), exact);
    }
}

TEST(Wishart, WhichRoute) {
  EXPECT_EQ(wishart_floor(3, 3, 0.1), 0);
  EXPECT_EQ(wishart_floor(1, 20001, 0.1),
            std::max(wishart_by_concentration(1, 20001, 0.1), wishart_by_density(1, 20001, 0.1)));
  EXPECT_EQ(wishart_floor(41, 60, 0.1), wishart_by_density(41, 60, 0.1));
}

// Drawn matrices of size two fall below the quantile as often as it says.
TEST(Wishart, HoldsForDrawnMatrices) {
  constexpr long n = 9, rounds = 20000;
  constexpr double delta = 0.1;
  const double q = wishart_by_quantile(2, n, delta);
  Normal normal(2);
  double below = 0;
  for (long r = 0; r < rounds; ++r) {
    double a = 0, b = 0, c = 0;
    for (long i = 0; i < n; ++i) {
      const double x = normal(), y = normal();
      a += x * x / n;
      b += x * y / n;
      c += y * y / n;
    }
    below += (a + c) / 2 - std::hypot((a - c) / 2, b) < q;
  }
  EXPECT_LE(below, most_of(rounds, delta));
  EXPECT_GE(below, least_of(rounds, delta));
}

}  // namespace
}  // namespace verify::testing
