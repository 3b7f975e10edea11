// Folds: every trajectory learns, every trajectory certifies.
#include <gtest/gtest.h>

#include "certificate/from_problem.hpp"
#include "certified_run.hpp"

namespace loopcert::testing {
namespace {

// The mean response, and the mean of two hold-out certificates at delta/2.
TEST(CrossCertification, IsItsDefinition) {
  Problem problem = plant(0.8, "shrinkage", "cross-chi-square");
  const Disturbances data = draw(problem, 40, 5);
  const LearnRun run = run_learn(problem, data);
  const FixedResponseKind& kind = fixed_response_kind("hold-out-chi-square");
  const Assumptions& assumptions = problem.disturbance;
  Matrix mean = Matrix::Zero(problem.sizes().d_u(), problem.sizes().d_w());
  double value = 0;
  for (Index fold = 0; fold < 2; ++fold) {
    std::vector<Index> inside, outside;
    for (Index i = 0; i < 40; ++i) (i % 2 == fold ? inside : outside).push_back(i);
    Problem half = problem;
    half.certificate.kind = "data-driven";  // of no interest to this method
    const LearnRun part = run_learn(half, select_rows(data, outside));
    mean += 0.5 * part.response.Phi_u;
    value += 0.5 * kind.evaluate({problem.system,
                                  part.response,
                                  assumptions,
                                  evidence_of(select_rows(data, inside)),
                                  {{"quantile", 0.025}}})
                       .value;
  }
  EXPECT_LT((run.response.Phi_u - mean).norm(), 1e-12 * mean.norm());
  EXPECT_NEAR(run.certificate->value, value, 1e-12 * value);
  EXPECT_EQ(run.certificate->n, 40);
  EXPECT_EQ(run.certificate->events.size(), 2U);
}

// The covariance comes from all data, on an event that is paid for once; the mean cost from a fold.
TEST(CrossCertification, EnvelopesComeFromAllData) {
  Problem problem = plant(0.8, "shrinkage", "cross-relative");
  problem.disturbance.law.reset();
  const Disturbances data = draw(plant(0.8, "lqr", "best"), 40, 7);
  const LearnRun run = run_learn(problem, data);
  const Evidence all = evidence_of(data);
  double value = 0;
  for (Index fold = 0; fold < 2; ++fold) {
    std::vector<Index> inside;
    for (Index i = fold; i < 40; i += 2) inside.push_back(i);
    const Evidence part = evidence_of(select_rows(data, inside));
    FixedSetting setting{problem.system,
                         run.deployment->responses[static_cast<size_t>(fold)],
                         problem.disturbance,
                         part,
                         {{"chernoff", 0.75 * 0.05 / 2}, {"covariance", 0.25 * 0.05}}};
    setting.all = &all;
    value += 0.5 * fixed_response_kind("hold-out-relative").evaluate(setting).value;
  }
  EXPECT_NEAR(run.certificate->value, value, 1e-12 * value);
  EXPECT_EQ(run.certificate->events.size(), 3U);  // one of each fold, one of all data
  EXPECT_NEAR(ledger(*run.certificate), 0.05, 1e-12);
}

// A fold's certificate depends on the fold only through what was recorded there: changing one
// certifying trajectory leaves the response of that fold alone.
TEST(CrossCertification, AResponseDoesNotSeeItsFold) {
  const Problem problem = plant(0.8, "shrinkage", "cross");
  Problem granted = problem;
  granted.disturbance.scale_bound = 0.6;
  Disturbances data = draw(problem, 40, 6);
  const auto responses = [&] { return run_learn(granted, data).deployment->responses; };
  const std::vector<Response> before = responses();
  data.w.row(4) *= 2;  // fold 0 certifies with it, fold 1 learns from it
  const std::vector<Response> after = responses();
  EXPECT_EQ(before[0].Phi_u, after[0].Phi_u);
  EXPECT_NE(before[1].Phi_u, after[1].Phi_u);
}

}  // namespace
}  // namespace loopcert::testing
