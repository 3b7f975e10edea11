// docs/theory/chi-square.md, 7: costs averaged over what leaves the law of independent steps alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "certificate/fixed_response.hpp"
#include "certificate/portfolio.hpp"
#include "certificate/premises.hpp"
#include "certificate/tails.hpp"
#include "chance.hpp"
#include "data/moments.hpp"
#include "random_system.hpp"
#include "response/lqr.hpp"
#include "risk/risk.hpp"
#include "seed.hpp"

namespace loopcert::testing {
namespace {

Assumptions steps(bool stationary) {
  Assumptions assumptions;
  assumptions.white = true;
  assumptions.stationary = stationary;
  return assumptions;
}

// The mean cost over all signs of the steps and, where they have one law, all their orders.
double over_all(const System& system, const Response& response, const Disturbances& data,
                bool stationary) {
  const Index T = system.sizes().T, n_x = system.sizes().n_x;
  std::vector<Index> order(static_cast<size_t>(T));
  std::iota(order.begin(), order.end(), 1);
  double sum = 0;
  int count = 0;
  do {
    for (int signs = 0; signs < 1 << (T + 1); ++signs) {
      Disturbances moved = data;
      for (Index t = 0; t <= T; ++t)
        moved.w.middleCols(t * n_x, n_x) =
            (signs >> t & 1 ? -1 : 1) *
            data.w.middleCols((t > 0 ? order[static_cast<size_t>(t - 1)] : 0) * n_x, n_x);
      sum += response_risk(system, response, sample_moments(moved));
      ++count;
    }
  } while (stationary && std::next_permutation(order.begin(), order.end()));
  return sum / count;
}

TEST(AveragedCost, IsTheMeanOverSignsAndOrders) {
  constexpr Index n = 7;
  for (const bool stationary : {false, true})
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const System system = random_system({.n_x = 2, .n_u = 1, .T = 3}, seed);
      const Response lqr = lqr_response(system);
      const Disturbances data = random_disturbances(system.sizes(), n, seed);
      const Evidence e = evidence_of(data);
      const Assumptions assumptions = steps(stationary);
      FixedSetting setting{system, lqr, assumptions, e, {{"quantile", 0.05}}};
      setting.averaged = true;
      const Certificate c = fixed_response_kind("hold-out-chi-square").evaluate(setting);
      const double mean = over_all(system, lqr, data, stationary);
      EXPECT_NEAR(c.value * centred_factor(n, 0.05), mean, 1e-10 * mean);
      EXPECT_NEAR(c.terms[0].value, response_risk(system, lqr, e.moments), 1e-12 * mean);
      EXPECT_EQ(c.assumptions.back().id, stationary ? "stationary" : "white");
      setting.averaged = false;
      const Certificate plain = fixed_response_kind("hold-out-chi-square").evaluate(setting);
      EXPECT_NEAR(plain.value * centred_factor(n, 0.05), plain.terms[0].value, 1e-10 * mean);
      EXPECT_EQ(plain.assumptions.back().id, "zero-mean");
    }
}

// A constant part is not averaged: its products with the steps are noise, too, but other kinds keep
// them.
TEST(AveragedCost, NeedsACostWithoutOffset) {
  const System system = random_system({.n_x = 2, .n_u = 1, .T = 3, .offset = true}, 3);
  const Response lqr = lqr_response(system);
  const Evidence e = evidence_of(random_disturbances(system.sizes(), 9, 1));
  const Assumptions assumptions = steps(true);
  FixedSetting setting{system, lqr, assumptions, e, {{"chernoff", 0.05}, {"covariance", 0.05}}};
  const double white = fixed_response_kind("hold-out-white").evaluate(setting).value;
  setting.averaged = false;
  EXPECT_EQ(white, fixed_response_kind("hold-out-white").evaluate(setting).value);
}

// Under the true covariance the quantile is exact, and the value varies less; from data it covers.
TEST(AveragedCost, Covers) {
  const System system = double_integrator();
  const Response lqr = lqr_response(system);
  const Law law{Vector::Zero(22), 0.1 * Matrix::Identity(22, 22)};
  const double cost = response_risk(system, lqr, law_moments(law));
  Assumptions assumptions = steps(true);
  assumptions.scale_bound = 0.1;
  constexpr Index sets = 2000;
  int exact = 0, from_data = 0;
  double plain = 0, averaged = 0;
  for (std::uint64_t i = 0; i < sets; ++i) {
    const Evidence e = evidence_of(sample_disturbances(law, test_stream(i, 0), 6));
    FixedSetting setting{system, lqr, assumptions, e, {{"chernoff", 0.05}, {"covariance", 0.45}}};
    const FixedResponseKind& scale = fixed_response_kind("hold-out");
    plain += scale.evaluate(setting).value / sets;
    from_data += fixed_response_kind("hold-out-white").evaluate(setting).value < cost;
    setting.averaged = true;
    const double value = scale.evaluate(setting).value;
    averaged += value / sets;
    exact += value < cost;
  }
  EXPECT_LE(exact, most_of(sets, 0.05));
  EXPECT_GE(exact, least_of(sets, 0.05));
  EXPECT_LE(from_data, most_of(sets, 0.5));
  EXPECT_LT(averaged - cost, 0.87 * (plain - cost));  // .769 : .957, the deviations of both costs
}

// All kinds of a portfolio that share an event mean the same cost; with a colour none is averaged.
TEST(AveragedCost, AllKindsOfAPortfolioOrNone) {
  Problem problem;
  problem.system = double_integrator();
  problem.disturbance = steps(true);
  problem.disturbance.scale_bound = 0.3;
  const Response lqr = lqr_response(problem.system);
  const Law law{Vector::Zero(22), 0.1 * Matrix::Identity(22, 22)};
  const Disturbances data = sample_disturbances(law, test_stream(1, 0), 40);
  const auto assumed = [&](const char* kind, bool coloured) {
    Problem asked = problem;
    if (coloured) asked.disturbance.autoregressive = 1;
    const Certificate c = certify_deployment(asked, {UseOfData::fixed, {lqr}}, data,
                                             fixed_response_kind(kind), 0.01, 0.03);
    return std::count_if(c.assumptions.begin(), c.assumptions.end(),
                         [](const Statement& s) { return s.id == "white"; });
  };
  for (const char* kind : {"hold-out", "hold-out-chi-square", "hold-out-relative"}) {
    EXPECT_EQ(assumed(kind, false), 1) << kind;
    EXPECT_EQ(assumed(kind, true), 0) << kind;
  }
  EXPECT_EQ(assumed("hold-out-white", false), 1);
}

}  // namespace
}  // namespace loopcert::testing
