// Every way to a certificate, through learn and its files.
#include <gtest/gtest.h>

#include "certificate/portfolio.hpp"
#include "certified_run.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert::testing {
namespace {

// Every way to a certificate that learn offers survives its files and pays exactly its delta.
TEST(Certified, EveryRouteIsReevaluated) {
  struct Case {
    double ar1;
    std::string method, kind;
  };
  const std::vector<Case> cases = {{0, "auto", "best"},
                                   {0.8, "auto", "best"},
                                   {0.8, "auto", "cross"},
                                   {0.8, "shrinkage", "hold-out-chi-square"},
                                   {0.8, "ridge", "cross-chi-square"},
                                   {0, "lqr", "hold-out"},
                                   {0, "lqr", "best"},
                                   {0.8, "erm", "assumed-scale"},
                                   {0, "pac-bayes", "best"},
                                   {0.8, "pac-bayes", "relative"},
                                   {0.8, "start", "hold-out-relative"}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.method + " " + c.kind);
    Problem problem = plant(c.ar1, c.method, c.kind);
    problem.disturbance.scale_bound = c.ar1 == 0 ? 0.1 : 0.6;
    problem.certificate.delta = 0.04;
    const Disturbances data = draw(problem, 60, 3);
    const LearnRun run = run_learn(problem, data);
    ASSERT_TRUE(run.certificate.has_value());
    EXPECT_EQ(run.certificate->kind, c.kind);
    EXPECT_GE(run.certificate->value, surely_below(*run.population_cost));
    EXPECT_NEAR(ledger(*run.certificate), c.kind == "assumed-scale" ? 0 : 0.04, 1e-12);
    const Reevaluation again = through_files(run, *run.certificate, data);
    EXPECT_TRUE(again.agrees) << again.disagreement;
    EXPECT_EQ(again.recomputed.value, run.certificate->value);
    if (run.improvement) {
      EXPECT_GE(run.improvement->value, *run.population_cost - *run.lqr_cost - 0.3 * *run.lqr_cost);
      EXPECT_NEAR(ledger(*run.improvement), 0.04, 1e-12);
      EXPECT_TRUE(through_files(run, *run.improvement, data).agrees);
    }
  }
}

// L - L_0 <= L: what the cost's certificate says already is not said again.
TEST(Certified, AnImprovementAboveTheCertifiedCostIsWithheld) {
  int withheld = 0, shown = 0;
  // Few data taken at their word cost far more than LQR, many save something.
  for (const auto& [method, n] : {std::pair<std::string, Index>{"erm", 8}, {"shrinkage", 60}}) {
    SCOPED_TRACE(method);
    Problem problem = plant(0.8, method, "cross-frobenius");
    problem.certificate.delta = 0.5;
    const Disturbances data = draw(problem, n, 12);
    const LearnRun run = run_learn(problem, data);
    const Deployment deployment{UseOfData::cross, run.deployment->responses};
    const auto improvement = certified_improvement(problem, deployment, data);
    ASSERT_TRUE(improvement.has_value());
    const bool says_more = improvement->value < run.certificate->value;
    ++(says_more ? shown : withheld);
    ASSERT_EQ(run.improvement.has_value(), says_more);
    EXPECT_EQ(run.details.contains("improvement"), !says_more) << run.details.dump();
    if (says_more) {
      EXPECT_EQ(run.improvement->value, improvement->value);
    }
  }
  EXPECT_GT(withheld, 0);
  EXPECT_GT(shown, 0);
}

// verify does not believe that a response owes nothing to data.
TEST(Certified, AResponseThatClaimsToBeFixedIsCheckedAgainstItsMethod) {
  Problem problem = plant(0, "lqr", "hold-out");
  problem.disturbance.scale_bound = 0.1;
  const Disturbances data = draw(problem, 30, 10);
  LearnRun run = run_learn(problem, data);
  Problem other = problem;
  other.learning.method = "erm";
  other.certificate.kind = "data-driven";
  const LearnRun overfitted = run_learn(other, data);
  run.deployment = Deployment{UseOfData::fixed, {overfitted.response}};
  run.inputs["responses_sha256"] = "";
  EXPECT_THROW(through_files(run, *run.certificate, data), InputError);  // another hash
}

}  // namespace
}  // namespace loopcert::testing
