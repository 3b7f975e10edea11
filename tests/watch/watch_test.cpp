#include "loopcert/watch/watch.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>

#include "chance.hpp"
#include "input_error.hpp"
#include "seed.hpp"
#include "watch/bets.hpp"
#include "watch/watch_file.hpp"

namespace loopcert::testing {
namespace {

// Costs with mean `mean` and `degrees` equal directions.
std::vector<double> chi_square_costs(const Stream& stream, std::uint64_t first, Index n,
                                     double mean, Index degrees) {
  const Matrix g = standard_normal_rows(stream, first, n, degrees);
  std::vector<double> costs;
  for (Index i = 0; i < n; ++i)
    costs.push_back(mean * g.row(i).squaredNorm() / static_cast<double>(degrees));
  return costs;
}

Watch watched(const WatchClaim& claim, const std::vector<double>& costs) {
  Watch watch(claim);
  for (const double cost : costs) watch.update(cost);
  return watch;
}

// The evidence as the page defines it: a sum over bets and beginnings of products of factors.
double evidence_by_definition(const WatchClaim& claim, const std::vector<double>& costs) {
  const size_t n = costs.size();
  std::vector<double> adaptive(n), alert(n);  // their b at each cost
  double drift = 0, size = 1, spread = 1, excess = 0;
  const double keep = std::exp2(-1.0 / 64);
  for (size_t i = 0; i < n; ++i) {
    adaptive[i] = std::max(0.0, std::min(1.0, drift / (size + drift * drift)));
    alert[i] = std::min(1.0, excess / (5 * (spread + std::exp2(-10))));
    const double y = std::min(costs[i] / claim.mean, 100.0) - 1;
    drift = keep * drift + (1 - keep) * y;
    size = keep * size + (1 - keep) * y * y;
    excess = std::min(100.0, std::max(0.0, excess + y - 1.75 * spread));
    spread = keep * spread + (1 - keep) * std::abs(y);
  }
  std::vector<std::vector<double>> factors;  // of each bet
  std::vector<double> weights;
  const double share = claim.degrees > 0 ? 0.125 : 0.25;
  const auto bet = [&](double weight, const auto& factor) {
    factors.emplace_back();
    for (size_t i = 0; i < n; ++i) factors.back().push_back(factor(i, costs[i] / claim.mean));
    weights.push_back(weight);
  };
  bet(share, [&](size_t i, double x) { return 1 + adaptive[i] * (x - 1); });
  bet(2 * share, [&](size_t i, double x) { return 1 + alert[i] * (x - 1); });
  std::vector<double> constants = {0.375, 0.625, 0.75, 0.875, 0.9375, 1.0};
  for (int k = 1; k <= 10; ++k) constants.push_back(std::exp2(-k));
  for (const double b : constants)
    bet(share / 16, [&](size_t, double x) { return 1 + b * (x - 1); });
  const double K = claim.degrees;
  if (K > 0)
    for (const double r : {1.05, 1.1, 1.25, 1.5, 2.0, 3.0, 5.0, 10.0})
      bet(1.0 / 16, [&](size_t, double x) {
        return std::pow(r, -K / 2) * std::exp(K / 2 * (1 - 1 / r) * x);
      });
  double evidence = 0, begun = 0;
  for (size_t j = 1; j <= n; ++j) {
    const double k = std::floor(std::log2(static_cast<double>(j)));
    const double weight = std::exp2(-k) / ((k + 1) * (k + 2));
    begun += weight;
    for (size_t bet_at = 0; bet_at < factors.size(); ++bet_at) {
      double product = 1;
      for (size_t i = j - 1; i < n; ++i) product *= factors[bet_at][i];
      evidence += weights[bet_at] * weight * product;
    }
  }
  return evidence + 1 - begun;
}

TEST(Watch, EvidenceIsWhatThePageDefines) {
  const Stream stream = test_stream(11, 1);
  for (const double degrees : {0.0, 1.0, 6.5}) {
    for (const double rise : {0.8, 1.0, 1.4, 3.0}) {
      const WatchClaim claim{3.7, 0.01, degrees};
      const std::vector<double> costs = chi_square_costs(stream, 0, 150, rise * 3.7, 7);
      const double expected = evidence_by_definition(claim, costs);
      EXPECT_NEAR(watched(claim, costs).state().evidence, expected, 1e-11 * expected);
    }
  }
}

TEST(Watch, BeginningsAddUpToOne) {
  double begun = 0;
  for (Index n = 1; n < 5000; ++n) {
    const Beginning at = beginning_at(n);
    begun += at.weight;
    EXPECT_NEAR(begun + at.later, 1, 1e-12) << n;
  }
  const Beginning late = beginning_at(Index{1} << 52);
  EXPECT_GT(late.weight, 0);
  EXPECT_NEAR(late.later, 1.0 / 53, 1e-12);
}

TEST(Watch, WeightsAddUpToOne) {
  for (const double degrees : {0.0, 2.0}) {
    double sum = 0;
    for (const Bet& bet : bets_of({1, 0.01, degrees})) sum += bet.weight;
    EXPECT_EQ(sum, 1);
  }
}

// All 2^12 ways that costs of 0 or L/p can go, each with its probability: the evidence is a
// martingale, so its mean is 1.
TEST(Watch, MeanOfTheEvidenceOverEveryPath) {
  const int n = 12;
  for (const double p : {0.01, 0.3, 0.9}) {
    double mean = 0;
    for (unsigned path = 0; path < 1u << n; ++path) {
      Watch watch({2.5, 0.01});
      double chance = 1;
      for (int i = 0; i < n; ++i) {
        const bool high = (path >> i & 1u) != 0;
        chance *= high ? p : 1 - p;
        watch.update(high ? 2.5 / p : 0);
      }
      mean += chance * watch.state().evidence;
    }
    EXPECT_NEAR(mean, 1, 1e-10);
  }
}

// A mean below the claim, and a law that depends on the costs before: never above 1.
TEST(Watch, MeanUnderAnAdversary) {
  const int n = 11;
  double mean = 0;
  for (unsigned path = 0; path < 1u << n; ++path) {
    Watch watch({1, 0.01});
    double chance = 1, before = 1;
    for (int i = 0; i < n; ++i) {
      const bool high = (path >> i & 1u) != 0;
      const double p = before > 1 ? 0.05 : 0.6;  // after a large cost rarely another, but larger
      chance *= high ? p : 1 - p;
      before = high ? 1 / p : 0;
      watch.update(before);
    }
    mean += chance * watch.state().evidence;
  }
  EXPECT_NEAR(mean, 1, 1e-10);
}

// E exp(theta J / L) r^(-K/2) for J = sum a_i (g_i + m_i)^2 of a mean of at most L, none of its
// terms above L / K: never above 1, and 1 for K equal terms.
TEST(Watch, RisesAreFairForEveryGaussianLoop) {
  const Matrix draws = standard_normal_rows(test_stream(12, 2), 0, 300, 12);
  for (const double K : {1.0, 2.0, 3.5, 6.0}) {
    for (const Bet& bet : bets_of({1, 0.01, K})) {
      if (bet.kind != BetKind::rise) continue;
      for (Index i = 0; i < draws.rows(); ++i) {
        Vector a = draws.row(i).head(6).array().square(), m = draws.row(i).tail(6);
        Vector part = a.array() * (1 + m.array().square());
        const double scale = std::min(1 / part.sum(), 1 / (K * part.maxCoeff()));
        a *= scale;
        double log_mean = -bet.price;
        for (Index j = 0; j < 6; ++j)
          log_mean += -0.5 * std::log1p(-2 * bet.size * a(j)) +
                      bet.size * a(j) * m(j) * m(j) / (1 - 2 * bet.size * a(j));
        EXPECT_LE(log_mean, 1e-12);
      }
      EXPECT_NEAR(-bet.price - 0.5 * K * std::log1p(-2 * bet.size / K), 0, 1e-12);
    }
  }
}

TEST(Watch, FalseAlarms) {
  const Index streams = test_count(400, 50), costs = 400;
  const double alpha = 0.1;
  for (const Index degrees : {1, 8}) {
    for (const bool gaussian : {false, true}) {
      Index alarms = 0;
      for (Index i = 0; i < streams; ++i)
        alarms +=
            watched({2, alpha, gaussian ? static_cast<double>(degrees) : 0},
                    chi_square_costs(test_stream(13, static_cast<std::uint64_t>(degrees)),
                                     static_cast<std::uint64_t>(i * costs), costs, 2, degrees))
                .rejected();
      EXPECT_LE(alarms, most_of(streams, alpha));
    }
  }
}

// Ten times the claim from cost 2001 on.
TEST(Watch, AChangeIsFound) {
  std::vector<double> costs = chi_square_costs(test_stream(14, 1), 0, 2000, 1, 4);
  const std::vector<double> after = chi_square_costs(test_stream(14, 2), 0, 200, 10, 4);
  costs.insert(costs.end(), after.begin(), after.end());
  const Watch watch = watched({1, 1e-6}, costs);
  ASSERT_TRUE(watch.rejected());
  EXPECT_GT(*watch.state().rejected_at, 2000);
  EXPECT_EQ(watch.state().n, 2200);  // it stays rejected, and goes on counting
}

// Steady costs, and twice the claim from cost 1001 on: no test that holds for every law needs fewer
// than log(1/alpha)/log 2 of them.
TEST(Watch, ARiseOfSteadyCostsIsFoundSoon) {
  std::vector<double> costs;
  for (Index i = 0; i < 1100; ++i)
    costs.push_back(i < 1000 ? 1 + 0.3 * std::cos(static_cast<double>(i)) : 2);
  for (const double alpha : {1e-2, 1e-4, 1e-8}) {
    const auto at = watched({1, alpha}, costs).state().rejected_at;
    ASSERT_TRUE(at);
    EXPECT_GE(static_cast<double>(*at - 1000), std::log2(1 / alpha));
    EXPECT_LE(static_cast<double>(*at - 1000), std::log2(1 / alpha) + 4);
  }
}

TEST(Watch, RejectsWhereTheEvidenceReachesOneOverAlpha) {
  const double alpha = 0.003;
  Watch watch({1, alpha});
  for (const double cost : chi_square_costs(test_stream(17, 1), 0, 400, 1.7, 4)) {
    watch.update(cost);
    const double margin = 1 - watch.state().largest * alpha;
    if (std::abs(margin) < 1e-9) continue;  // rounding may decide
    EXPECT_EQ(watch.rejected(), margin < 0);
  }
  EXPECT_TRUE(watch.rejected());
}

TEST(Watch, UnitsDoNotMatter) {
  const std::vector<double> costs = chi_square_costs(test_stream(15, 1), 0, 300, 1.3, 3);
  std::vector<double> scaled;
  for (const double cost : costs) scaled.push_back(std::ldexp(cost, 700));
  EXPECT_EQ(watched({1, 0.05}, costs).state().sums,
            watched({std::ldexp(1.0, 700), 0.05}, scaled).state().sums);
}

TEST(Watch, InterruptedAnywhereItIsTheSame) {
  const std::vector<double> costs = chi_square_costs(test_stream(16, 1), 0, 60, 1.2, 2);
  for (const double degrees : {0.0, 2.0}) {
    const Watch whole = watched({1, 0.05, degrees}, costs);
    Watch watch({1, 0.05, degrees});
    for (const double cost : costs) {
      watch.update(cost);  // and through a file's text
      watch = Watch::resumed(
          watch_from_json(nlohmann::json::parse(watch_to_json(watch.state()).dump())));
    }
    EXPECT_EQ(watch.state(), whole.state());
  }
}

TEST(Watch, CostsThatAreNoCosts) {
  Watch watch({1, 0.01});
  watch.update(0.5);
  const WatchState before = watch.state();
  for (const double bad : {-1.0, -1e-300, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_TRUE(contains(input_error([&] { watch.update(bad); }), "not negative"));
  EXPECT_EQ(watch.state(), before);
  EXPECT_TRUE(watch.update(std::numeric_limits<double>::infinity()));
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(watch.update(1e308));
  EXPECT_TRUE(std::isfinite(watch.state().evidence));
  for (const double zero : {0.0, 0.0}) watch.update(zero);
  EXPECT_TRUE(watch.rejected());
}

// Equal costs at the claim: the forgetting square goes to zero, and nothing divides by it.
TEST(Watch, CostsThatNeverVary) {
  Watch watch({1, 0.01});
  for (int i = 0; i < 200'000; ++i) watch.update(1);
  EXPECT_TRUE(std::isfinite(watch.state().evidence));
  EXPECT_LE(watch.state().largest, 1 + 1e-9);
}

TEST(Watch, ClaimsThatAreNone) {
  for (const WatchClaim& claim :
       {WatchClaim{0, 0.01}, WatchClaim{-1, 0.01}, WatchClaim{INFINITY, 0.01},
        WatchClaim{NAN, 0.01}, WatchClaim{1, 0}, WatchClaim{1, 1}, WatchClaim{1, NAN},
        WatchClaim{1, 0.01, 0.5}, WatchClaim{1, 0.01, NAN}})
    EXPECT_NE(input_error([&] { Watch watch(claim); }), "");
}

TEST(Watch, StatesThatAreNone) {
  const nlohmann::json good = watch_to_json(watched({1, 0.05}, {1, 2, 3}).state());
  const auto refused = [&](const char* key, const nlohmann::json& value) {
    nlohmann::json tree = good;
    tree[key] = value;
    return !input_error([&] { watch_from_json(tree); }).empty();
  };
  EXPECT_TRUE(refused("n", -1));
  EXPECT_TRUE(refused("sums", {1.0}));
  EXPECT_TRUE(refused("sums", std::vector<double>(18, -1.0)));
  EXPECT_TRUE(refused("drift", nullptr));
  EXPECT_TRUE(refused("size", -1));
  EXPECT_TRUE(refused("spread", -1));
  EXPECT_TRUE(refused("excess", -1));
  EXPECT_TRUE(refused("evidence", -1));
  EXPECT_TRUE(refused("largest", 0));
  EXPECT_TRUE(refused("rejected_at", 9));
  EXPECT_TRUE(refused("degrees", 3));
}

}  // namespace
}  // namespace loopcert::testing
