// A bettor's bound on the mean of numbers in [0, 1]: the capital by its definition, exactly fair
// for coins, the bound against that of a coin, its order, its coverage.
#include "measurement/betting.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "certificate/bernoulli.hpp"
#include "loopcert/core/random.hpp"
#include "seed.hpp"

namespace loopcert::testing {
namespace {

Vector uniform(std::uint64_t seed, Index n) {
  Vector x(n);
  fill_uniform(test_stream(seed, 1), 0, {x.data(), static_cast<size_t>(n)});
  return x;
}

// Laws of all shapes: coins, nearly constant ones, skewed ones, by the seed.
Vector numbers(std::uint64_t seed, Index n) {
  Vector x = uniform(seed, n);
  switch (seed % 5) {
    case 0:
      return (x.array() < 0.3).cast<double>();
    case 1:
      return 0.4 + 0.01 * x.array();
    case 2:
      return x.array().pow(6);
    case 3:
      return (x.array() < 0.02).select(Vector::Ones(n), Vector::Constant(n, 0.05));
    default:
      return x;
  }
}

// The formula of the page, by logarithms, one factor after the other.
double capital(const Vector& x, double m, double delta) {
  const auto n = static_cast<double>(x.size());
  const double a = kl_lower(m, 1.03 * std::log(1 / delta) / n);
  int k = 0;
  while (std::pow(4.0, k + 1) <= n) ++k;
  const auto growth = [&](double b) {
    long double sum = 0;
    for (const double value : x)
      sum += std::log(static_cast<long double>(1 - b + b * (1 - value) / (1 - m)));
    return std::exp(sum);
  };
  const double w = std::exp(0.03 * std::log(delta));
  long double total = w * growth(1 - a / m);
  for (int j = 0; j <= k; ++j) total += (1 - w) / (k + 1) * growth(std::pow(2.0, -j));
  return static_cast<double>(total);
}

TEST(Betting, CapitalByItsDefinition) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Index n = 1 + static_cast<Index>(seed) * 7;
    const Vector x = numbers(seed, n) * 0.99;
    for (const double m : {0.05, 0.3, 0.6, 0.95}) {
      const double expected = std::log(capital(x, m, 0.05));
      EXPECT_NEAR(log_capital(x, m, bets_against(m, static_cast<double>(n), 0.05)), expected,
                  1e-9 * (1 + std::abs(expected)));
    }
  }
}

// Of n coins with mean m the capital has the expectation 1 exactly, all outcomes counted.
TEST(Betting, IsAFairGame) {
  for (const double delta : {0.05, 0.5})
    for (const Index n : {1, 2, 5, 20, 64})
      for (const double m : {0.01, 0.2, 0.5, 0.97}) {
        const Bets bets = bets_against(m, static_cast<double>(n), delta);
        double sum = 0;
        for (Index k = 0; k <= n; ++k) {
          Vector x = Vector::Zero(n);
          x.head(k).setOnes();
          const double log_chance = std::lgamma(n + 1.0) - std::lgamma(k + 1.0) -
                                    std::lgamma(n - k + 1.0) + k * std::log(m) +
                                    (n - k) * std::log1p(-m);
          sum += std::exp(log_chance + log_capital(x, m, bets));
        }
        EXPECT_NEAR(sum, 1, 1e-10) << n << " " << m;
      }
}

// How often the bound of n coins is below their mean: all outcomes counted.
TEST(Betting, CoversCoins) {
  for (const double delta : {0.05, 0.5})
    for (const Index n : {1, 2, 5, 20, 100}) {
      std::vector<double> bounds;
      for (Index k = 0; k <= n; ++k) {
        Vector x = Vector::Zero(n);
        x.head(k).setOnes();
        bounds.push_back(betting_upper(x, delta));
        if (k > 0) {
          EXPECT_GE(bounds[static_cast<size_t>(k)], bounds[static_cast<size_t>(k - 1)]);
        }
      }
      for (double m = 0.003; m < 1; m += 0.003) {
        double fails = 0;
        for (Index k = 0; k <= n; ++k)
          if (bounds[static_cast<size_t>(k)] < m)
            fails +=
                std::exp(std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0) +
                         k * std::log(m) + (n - k) * std::log1p(-m));
        EXPECT_LE(fails, delta * (1 + 1e-9)) << n << " " << m;
      }
    }
}

TEST(Betting, NeverFarAboveACoin) {
  for (std::uint64_t seed = 0; seed < 200; ++seed)
    for (const double delta : {0.5, 0.05, 1e-6}) {
      const Index n = 1 + static_cast<Index>(seed * seed) % 300;
      const Vector x = numbers(seed, n);
      const double mean = x.mean(),
                   coin = kl_upper(mean, std::log(1 / delta) / static_cast<double>(n));
      const double bound = betting_upper(x, delta);
      EXPECT_LE(bound, 1.03 * coin);
      EXPECT_GE(bound, mean);
      if (seed % 5 == 1 && n >= 5) {  // small variance
        EXPECT_LT(bound, 0.9 * coin + 0.1 * mean) << n;
      }
    }
}

// Where the bound ends the capital is 1/delta, and beyond it larger.
TEST(Betting, TheBoundIsTheRoot) {
  for (std::uint64_t seed = 1; seed < 30; ++seed) {
    const Vector x = 0.9 * numbers(seed, 50);
    const double bound = betting_upper(x, 0.05);
    EXPECT_NEAR(capital(x, bound, 0.05), 20, 1e-6);
    double before = 20;
    for (double m = bound; m < 0.999; m += (1 - bound) / 50) {
      const double now = capital(x, m, 0.05);
      EXPECT_GE(now, before * (1 - 1e-9));
      before = now;
    }
  }
}

TEST(Betting, NoOrderAndBothSides) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Vector x = numbers(seed, 41);
    const double bound = betting_upper(x, 0.05);
    std::reverse(x.begin(), x.end());
    std::rotate(x.begin(), x.begin() + 13, x.end());
    EXPECT_EQ(betting_upper(x, 0.05), bound);
    EXPECT_LE(betting_lower(x, 0.05), x.mean());
    const Vector turned = 1 - x.array();
    EXPECT_EQ(betting_lower(x, 0.05), 1 - betting_upper(turned, 0.05));
  }
}

TEST(Betting, Ends) {
  EXPECT_EQ(betting_upper(Vector::Ones(5), 0.05), 1);
  const double n = 100;  // no cost at all: a coin's bound is 1 - delta^(1/n)
  const double none = betting_upper(Vector::Zero(100), 0.05);
  EXPECT_LE(none, 1.03 * (1 - std::pow(0.05, 1 / n)));
  EXPECT_GE(none, 1 - std::pow(0.05, 1 / n));
  EXPECT_EQ(betting_lower(Vector::Zero(5), 0.05), 0);
}

// As if each number had been seen that often: what planning asks.
TEST(Betting, TimesRepeatsTheNumbers) {
  const Vector x = numbers(2, 20);
  EXPECT_NEAR(betting_upper(x, 0.05, 3), betting_upper(x.replicate(3, 1), 0.05), 1e-12);
  EXPECT_LT(betting_upper(x, 0.05, 2.5), betting_upper(x, 0.05));
}

}  // namespace
}  // namespace loopcert::testing
