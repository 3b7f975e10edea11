// docs/theory/improvement.md: the two parts of a difference.
#include "lemmas/lemmas.hpp"
#include "numbers.hpp"

namespace verify::testing {
namespace {

// Of [a, b; b, c].
std::pair<double, double> eigenvalues(double a, double b, double c) {
  const double middle = (a + c) / 2, half = std::hypot((a - c) / 2, b);
  return {middle - half, middle + half};
}

TEST(Difference, AbsoluteOfADiagonal) {
  const Mat E = *absolute(matrix(2, 2, {1, 0, 0, -2}), Mat(0, 0));
  EXPECT_NEAR(upper(E(0, 0)), 1, 1e-11);
  EXPECT_NEAR(upper(E(1, 1)), 2, 1e-11);
  EXPECT_NEAR(upper(E(0, 1)), 0, 1e-11);
}

// E stands above D and -D, and tr(E RR') is the sum of the absolute eigenvalues of R'DR.
TEST(Difference, AbsoluteInAMetric) {
  Normal normal(5);
  for (int k = 0; k < 50; ++k) {
    const double a = normal(), b = normal(), c = normal();
    const double r = 0.5 + std::abs(normal()), s = normal(), t = 0.5 + std::abs(normal());
    const Mat D = matrix(2, 2, {a, b, b, c}), R = matrix(2, 2, {r, 0, s, t});
    const Mat metric = R * transpose(R), E = *absolute(D, metric);
    for (const int sign : {-1, 1}) {
      const Mat part = E + sign * D;
      const auto [least, most] =
          eigenvalues(upper(part(0, 0)), upper(part(0, 1)), upper(part(1, 1)));
      EXPECT_GE(least, -1e-12 * (1 + most));
    }
    const Mat M = transpose(R) * D * R;
    const auto [least, most] = eigenvalues(upper(M(0, 0)), upper(M(0, 1)), upper(M(1, 1)));
    const double sum = std::abs(least) + std::abs(most);
    EXPECT_NEAR(upper(dot(E, metric)), sum, 1e-9 * (1 + sum));
  }
}

// Of a definite D one of the sums is rounding alone, in entries of very different size: Arb's own
// factorization finds both positive.
TEST(Difference, AbsoluteStandsAboveBothSigns) {
  Normal normal(9);
  for (const int sign : {-1, 1}) {
    Mat F(30, 30);
    for (long i = 0; i < 900; ++i)
      F.set(i / 30, i % 30, normal() * std::pow(0.5, static_cast<double>(i / 30)));
    const Mat D = middle(sign * (F * transpose(F))), E = *absolute(D, Mat(0, 0));
    const Bits more(512);
    Mat top = middle(E), L(30, 30);
    for (long i = 0; i < 30; ++i) top.set(i, i, upper(E(i, i)));
    EXPECT_NE(arb_mat_cho(L.m, (top - D).m, bits), 0);
    EXPECT_NE(arb_mat_cho(L.m, (top + D).m, bits), 0);
  }
}

// The metric is that of w alone, the last entries.
TEST(Difference, AbsoluteWithTheConstant) {
  const Mat E = *absolute(matrix(2, 2, {-3, 0, 0, 2}), matrix(1, 1, {100}));
  EXPECT_NEAR(upper(E(0, 0)), 3, 1e-9);
  EXPECT_NEAR(upper(E(1, 1)), 2, 1e-9);
}

TEST(Difference, ByRatio) {
  constexpr long n = 100;
  const double delta = std::pow(0.64, 50);  // x = 1/4
  const double up = scale_free_above(n, delta), low = scale_free_below(n, delta);
  EXPECT_NEAR(up - 1 - std::log(up), 2 * std::log(1 / delta) / n, 1e-9);
  EXPECT_NEAR(low - 1 - std::log(low), 2 * std::log(1 / delta) / n, 1e-9);
  // Better: k = 0.1/(2/4) = 0.2. Worse: k = 2/(1/4) = 8.
  EXPECT_NEAR(upper(by_ratio(0.1, 2, n, false, delta)), -0.8 * 2 / up, 1e-10);
  EXPECT_NEAR(upper(by_ratio(2, 1, n, false, delta)), (1 - 1 / 8.0) * 2 / low, 1e-10);
  // Mean zero: F(4, 4) at 13/125 is 1/4; P(chi_4/4 > x) = e^-2x (1 + 2x).
  const double d = 13.0 / 125, above = chi_square_above(4, d), below = 2.0 / 9;
  EXPECT_NEAR(std::exp(-2 * above) * (1 + 2 * above), d, 1e-9);
  EXPECT_LT(below, chi_square_below(4, d));  // the range of the single variable ends there
  EXPECT_NEAR(upper(by_ratio(0.1, 2, 4, true, d)), -1.6 / above, 1e-9);
  if (scale_free_below(4, d) <= below) {
    EXPECT_NEAR(upper(by_ratio(2, 1, 4, true, d)), 1.75 / below, 1e-9);
  }
  EXPECT_EQ(upper(by_ratio(2, 1, 2, true, d)), upper(by_ratio(2, 1, 2, false, d)));
}

// Any ratio of the two: the bound on P - N fails with at most delta, and at P = 0, N = 0 and P = N
// with delta.
TEST(Difference, HoldsForEveryRatio) {
  constexpr long n = 10, rounds = 300;
  constexpr double delta = 0.2;
  for (const double P : {0.0, 0.3, 0.8, 1.0, 1.3, 4.0}) {
    Normal normal(60 + static_cast<std::uint64_t>(10 * P));
    double failed = 0;
    for (long r = 0; r < rounds; ++r) {
      double P_hat = 0, N_hat = 0;
      for (long i = 0; i < n; ++i) {
        const double x = normal(), y = normal();
        P_hat += P * x * x / n;
        N_hat += y * y / n;
      }
      failed += upper(by_ratio(P_hat, N_hat, n, true, delta)) < P - 1;
    }
    EXPECT_LE(failed, most_of(rounds, delta)) << P;
    if (P == 0 || P == 1) {
      EXPECT_GE(failed, least_of(rounds, delta)) << P;
    }
  }
}

}  // namespace
}  // namespace verify::testing
