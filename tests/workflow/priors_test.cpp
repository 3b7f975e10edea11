// Priors: learned from a part of the data, chosen from a grid.
#include "learning/priors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "certified_run.hpp"
#include "feedback_today.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert::testing {
namespace {

TEST(Priors, SplitSeesTheFirstPartAlone) {
  Problem problem = plant(0.8, "pac-bayes", "relative");
  problem.learning.prior_center = "split";
  problem.learning.prior_fraction = 0.4;
  const ResponseSpace space = make_response_space(problem.system, problem.response);
  Disturbances data = draw(problem, 60, 7);
  const PriorSetting before = make_priors(problem, space, data);
  EXPECT_EQ(before.certifying.data.n(), 36);
  EXPECT_EQ(before.certifying.data.w, data.w.bottomRows(36));
  data.w.bottomRows(36) *= 3;
  EXPECT_EQ(make_priors(problem, space, data).priors[0].center, before.priors[0].center);
  data.w.row(0) *= 3;
  EXPECT_NE(make_priors(problem, space, data).priors[0].center, before.priors[0].center);
  EXPECT_FALSE(before.priors[0].center.isZero(1e-6));
}

// The grid's certificate is that of the best scale at delta / 5, and its event pays delta. A grid
// has an exponent of its own, (KL + log(20/delta))/(0.95 n) for (KL + log(n/delta))/(n - 1): where
// KL is small that is less than the one at the same delta, and more than the one with the same
// logarithm.
TEST(Priors, GridPaysForItsChoices) {
  Problem problem = plant(0, "pac-bayes", "scale");
  problem.disturbance.scale_bound = 0.1;
  problem.learning.prior_center = "lqr";
  problem.learning.prior_scale.reset();
  problem.certificate.delta = 0.05;
  const Disturbances data = draw(problem, 40, 8);
  const LearnRun grid = run_learn(problem, data);
  const auto best = [&](double delta) {
    double smallest = INFINITY;
    for (const double scale : {1.0, 0.3, 0.1, 0.03, 0.01}) {
      Problem one = problem;
      one.learning.prior_scale = scale;
      one.certificate.delta = delta;
      smallest = std::min(smallest, run_learn(one, data).certificate->value);
    }
    return smallest;
  };
  EXPECT_LT(grid.certificate->value, best(0.01));
  EXPECT_GT(grid.certificate->value, best(0.02));
  EXPECT_NEAR(grid.certificate->confidence, 0.95, 1e-12);
  EXPECT_EQ(grid.inputs["prior"]["grid"].size(), 5U);
  EXPECT_TRUE(through_files(grid, *grid.certificate, data).agrees);
}

TEST(Priors, SplitCertificateSurvivesItsFiles) {
  Problem problem = plant(0.8, "pac-bayes", "relative");
  problem.learning.prior_center = "split";
  problem.learning.prior_scale = 0.03;
  const Disturbances data = draw(problem, 200, 9);
  const LearnRun run = run_learn(problem, data);
  EXPECT_EQ(run.certificate->n, 100);
  EXPECT_GE(run.certificate->value, surely_below(*run.population_cost));
  EXPECT_TRUE(through_files(run, *run.certificate, data).agrees);
}

TEST(Priors, AnyMethodMayLearnTheCentre) {
  Problem problem = plant(0.8, "pac-bayes", "relative");
  problem.learning.prior_center = "split";
  problem.learning.prior_scale = 0.03;
  problem.baseline = feedback_today(problem);
  const Disturbances data = draw(problem, 100, 9);
  for (const LearnMethod& method : learn_methods()) {
    problem.learning.prior_method = method.name;
    if (method.name == "oracle-pac-bayes" || method.name == "guaranteed" || method.name == "lqg") {
      EXPECT_THROW(run_learn(problem, data), InputError);
      continue;
    }
    const LearnRun run = run_learn(problem, data);
    EXPECT_GE(run.certificate->value, surely_below(*run.population_cost)) << method.name;
    EXPECT_TRUE(through_files(run, *run.certificate, data).agrees) << method.name;
  }
}

}  // namespace
}  // namespace loopcert::testing
