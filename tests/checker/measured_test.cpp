// docs/theory/measured.md: bets against a mean, ratios of two means.
#include <boost/math/distributions/fisher_f.hpp>

#include "lemmas/lemmas.hpp"
#include "numbers.hpp"

namespace verify::testing {
namespace {

// The capital of the page in doubles; a by bisection.
double capital(const std::vector<double>& x, double m, double delta) {
  const auto n = static_cast<double>(x.size());
  const double rate = 1.03 * std::log(1 / delta) / n;
  const auto kl = [&](double a) {
    return (a > 0 ? a * std::log(a / m) : 0) + (1 - a) * std::log((1 - a) / (1 - m));
  };
  double a = 0;
  if (kl(0) > rate) {
    double high = m;
    for (int i = 0; i < 200; ++i) (kl((a + high) / 2) > rate ? a : high) = (a + high) / 2;
  }
  std::vector<double> parts = {1 - a / m}, weights = {std::pow(delta, 0.03)};
  int count = 0;
  for (double square = 1; square <= n; square *= 4) ++count;
  for (int j = 0; j < count; ++j) {
    parts.push_back(std::pow(2, -j));
    weights.push_back((1 - weights[0]) / count);
  }
  double sum = 0;
  for (size_t j = 0; j < parts.size(); ++j) {
    double product = weights[j];
    for (const double value : x) product *= 1 - parts[j] + parts[j] * (1 - value) / (1 - m);
    sum += product;
  }
  return sum;
}

TEST(Measured, BettingUpper) {
  for (const double delta : {0.05, 0.5})
    for (const int n : {1, 2, 3, 17, 64}) {
      std::vector<double> x;
      std::vector<Ball> balls;
      for (int i = 0; i < n; ++i) {
        x.push_back(0.3 + 0.25 * std::sin(1.0 + i));
        balls.emplace_back(x.back());
      }
      double low = 0, high = 1;
      for (int i = 0; i < 100; ++i) {
        const double m = (low + high) / 2;
        (m < 1 && capital(x, m, delta) < 1 / delta ? low : high) = m;
      }
      const Bits more(128);
      const double bound = upper(betting_upper(balls, delta));
      EXPECT_NEAR(bound, high, 1e-11) << n;
      EXPECT_GE(bound, high - 1e-13);
    }
}

TEST(Measured, BettingAtTheEnds) {
  const Bits more(128);
  EXPECT_EQ(upper(betting_upper({1, 1, 1}, 0.05)), 1);
  const double none = upper(betting_upper(std::vector<Ball>(50, Ball(0)), 0.05));
  EXPECT_GE(none, 1 - std::pow(0.05, 1 / 50.0));
  EXPECT_LE(none, 1.03 * (1 - std::pow(0.05, 1 / 50.0)));
}

TEST(Measured, RatiosOfTwo) {
  const Bits more(128);
  for (const long a : {1L, 3L, 12L, 40L})
    for (const long b : {1L, 5L, 30L}) {
      const double p = static_cast<double>(a) / 2, q = static_cast<double>(b) / 2;
      const double any = scale_free_ratio_of_two(a, b, 0.05);
      EXPECT_NEAR(p * std::log(any) - (p + q) * std::log((any * p + q) / (p + q)), std::log(0.05),
                  1e-9);
      const double centred = chi_square_ratio_of_two(a, b, 0.05);
      if (a < 3) {
        EXPECT_EQ(centred, any);
        continue;
      }
      const double F = quantile(boost::math::fisher_f(2 * p, 2 * q), 0.05);
      EXPECT_NEAR(centred, std::max(any, std::min(F, (1 - 1 / p) / (1 + 1 / q))), 1e-10);
    }
}

}  // namespace
}  // namespace verify::testing
