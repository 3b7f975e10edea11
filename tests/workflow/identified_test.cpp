// Disturbances whose colour is unknown but granted to have one: learned and certified from one set.
#include <gtest/gtest.h>

#include "certificate/from_problem.hpp"
#include "certified_run.hpp"
#include "data/moments.hpp"
#include "response/autoregressive.hpp"
#include "risk/risk.hpp"

namespace loopcert::testing {
namespace {

Problem coloured(const std::string& method, const std::string& kind) {
  Problem problem = plant(0.8, method, kind);
  problem.disturbance.autoregressive = 1;
  return problem;
}

// Chernoff for each fold, the events of the model once and from all data.
TEST(IdentifiedRun, FoldsShareTheModel) {
  const Problem problem = coloured("identified", "cross-identified");
  const Disturbances data = draw(problem, 80, 5);
  const LearnRun run = run_learn(problem, data);
  const std::vector<Event>& events = run.certificate->events;
  ASSERT_EQ(events.size(), 5U);
  double total = 0;
  Index chernoff = 0;
  for (const Event& event : events) {
    total += event.delta;
    if (event.id != "chernoff") {
      EXPECT_NEAR(event.delta, 0.05 / 30, 1e-15) << event.id;
      EXPECT_EQ(event.fold, 0);
      continue;
    }
    EXPECT_NEAR(event.delta, 0.0225, 1e-15);
    EXPECT_EQ(event.fold, ++chernoff);
  }
  EXPECT_EQ(chernoff, 2);
  EXPECT_NEAR(total, 0.05, 1e-15);
  // The mean over the folds, each with the same model of all 80.
  const FixedResponseKind& kind = fixed_response_kind("hold-out-identified");
  const Evidence all = evidence_of(data);
  double value = 0;
  for (Index fold = 0; fold < 2; ++fold) {
    std::vector<Index> inside;
    for (Index i = fold; i < 80; i += 2) inside.push_back(i);
    const Evidence part = evidence_of(select_rows(data, inside));
    FixedSetting setting{
        problem.system,
        run.deployment->responses.at(static_cast<size_t>(fold)),
        problem.disturbance,
        part,
        {{"chernoff", 0.0225}, {"model", 0.05 / 30}, {"noise", 0.05 / 30}, {"start", 0.05 / 30}}};
    setting.all = &all;
    value += 0.5 * kind.evaluate(setting).value;
  }
  EXPECT_NEAR(run.certificate->value, value, 1e-12 * value);
}

// The uniform kind certifies what was learned from the same data, and nothing is set aside.
TEST(IdentifiedRun, AllDataLearnAndCertify) {
  const Problem problem = coloured("identified", "identified");
  const Disturbances data = draw(problem, 120, 6);
  const LearnRun run = run_learn(problem, data);
  ASSERT_TRUE(run.deployment);
  EXPECT_EQ(run.deployment->use_of_data, UseOfData::whole);
  EXPECT_EQ(run.certificate->events.size(), 3U);
  EXPECT_GE(run.details.at("runs").at(0).at("lags"), 1);
  EXPECT_GT(run.certificate->value, surely_below(*run.population_cost));
  // Near the best there is, and better than LQR.
  EXPECT_LT(*run.population_cost, 1.05 * *run.optimal_cost);
  EXPECT_LT(*run.population_cost, *run.lqr_cost);
}

// With the true coefficients the response is the best of all.
TEST(IdentifiedRun, TrueCoefficientsAreOptimal) {
  const Problem problem = coloured("lqr", "hold-out-chi-square");
  const Index n_x = problem.sizes().n_x;
  const Response response = autoregressive_response(problem.system, lqr_gains(problem.system),
                                                    0.8 * Matrix::Identity(n_x, n_x));
  const LearnRun run = run_learn(problem, draw(problem, 20, 7));
  EXPECT_NEAR(response_risk(problem.system, response, law_moments(*problem.disturbance.law)),
              *run.optimal_cost, 1e-9 * *run.optimal_cost);
}

// best has a share for the uniform kind, the same whatever the data are.
TEST(IdentifiedRun, PortfolioKnowsTheKinds) {
  for (const char* method : {"identified", "auto", "lqr"}) {
    const Problem problem = coloured(method, "best");
    std::vector<double> shares;
    for (const std::uint64_t seed : {8U, 9U}) {
      const LearnRun run = run_learn(problem, draw(problem, 100, seed));
      std::vector<double> now;
      bool uniform = false;
      for (const Candidate& c : run.certificate->all) {
        now.push_back(c.delta);
        uniform = uniform || (c.kind == "identified" && c.status == "computed");
      }
      EXPECT_TRUE(uniform) << method;
      EXPECT_NEAR(ledger(*run.certificate), 0.05, 1e-12);
      if (!shares.empty()) {
        EXPECT_EQ(now, shares) << method;
      }
      shares = now;
    }
  }
}

TEST(IdentifiedRun, NotGrantedIsSaid) {
  const Problem problem = plant(0.8, "identified", "identified");
  EXPECT_THROW(run_learn(problem, draw(problem, 50, 3)), InputError);
}

}  // namespace
}  // namespace loopcert::testing
