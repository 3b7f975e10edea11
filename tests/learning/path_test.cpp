// Warm starts: the minima of cold ones, for fewer evaluations.
#include "learning/path.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <deque>

#include "certificate/kinds.hpp"
#include "certificate/premises.hpp"
#include "random_system.hpp"
#include "response/space.hpp"
#include "seed.hpp"

namespace loopcert::testing {
namespace {

// The paper's double integrator, and grids of its data-driven bound.
struct Grid {
  System system = double_integrator();
  ResponseSpace space = make_response_space(system, {});
  Prior prior{Matrix::Zero(10, 22), 1.0};
  std::deque<BoundInputs> inputs;  // points refer to them: they must not move
  std::deque<Prior> priors;
  std::vector<PathPoint> points;

  BoundInputs bound(Index n, double delta) const {
    const Law law{Vector::Zero(22), 0.1 * Matrix::Identity(22, 22)};
    const Evidence evidence = evidence_of(sample_disturbances(law, test_stream(7, 0), n));
    Assumptions assumptions;
    assumptions.scale_bound = 0.1;
    const Deltas deltas{{"pac_bayes", delta}, {"covariance", 0.025}};
    return posterior_kind("data-driven")
        .setup({system, space, assumptions, evidence, deltas})
        .inputs;
  }
  void add(BoundInputs in, double scale = 1.0) {
    inputs.push_back(std::move(in));
    priors.push_back({prior.center, scale});
    points.push_back({inputs.back(), priors.back()});
  }
};

struct Totals {
  int cold = 0, warm = 0;
};

// Checks every value and returns the evaluations of the optimizer.
Totals compare(const Grid& grid) {
  Totals totals;
  const std::vector<PacBayesResult> warm = minimize_along(grid.space.cost, grid.points);
  EXPECT_EQ(warm.size(), grid.points.size());
  for (size_t i = 0; i < grid.points.size(); ++i) {
    SCOPED_TRACE(i);
    const auto& [inputs, prior] = grid.points[i];
    const PacBayesResult cold = minimize_bound(grid.space.cost, inputs, prior);
    EXPECT_EQ(warm[i].status, SolverStatus::converged);
    EXPECT_NEAR(warm[i].bound.value, cold.bound.value, 1e-8 * cold.bound.value);
    EXPECT_EQ(warm[i].bound.value,
              evaluate_bound(grid.space.cost, inputs, prior, warm[i].posterior).value);
    totals.cold += cold.evaluations;
    totals.warm += warm[i].evaluations;
  }
  return totals;
}

// The margins are wide: what was measured is in docs/performance.md.
TEST(BoundPath, SavesEvaluationsAlongNumbersOfTrajectories) {
  Grid grid;
  for (const Index n : {10, 14, 20, 28, 40, 57, 80, 113, 160}) grid.add(grid.bound(n, 0.025));
  const Totals totals = compare(grid);
  EXPECT_LT(totals.warm, 0.85 * totals.cold);
}

TEST(BoundPath, SavesEvaluationsAlongDelta) {
  Grid grid;
  for (const double delta : {0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001})
    grid.add(grid.bound(40, delta));
  const Totals totals = compare(grid);
  EXPECT_LT(totals.warm, 0.6 * totals.cold);
}

TEST(BoundPath, SavesEvaluationsAlongLambda) {
  Grid grid;
  for (double lambda = 0.05; lambda < 4; lambda *= 1.5) {
    BoundInputs inputs = grid.bound(40, 0.025);
    inputs.lambda = lambda;
    grid.add(std::move(inputs));
  }
  const Totals totals = compare(grid);
  EXPECT_LT(totals.warm, 0.85 * totals.cold);
}

TEST(BoundPath, SavesEvaluationsAlongPriorScales) {
  Grid grid;
  for (const double scale : {1.0, 0.3, 0.1, 0.03, 0.01}) grid.add(grid.bound(40, 0.025), scale);
  const Totals totals = compare(grid);
  EXPECT_LT(totals.warm, 0.9 * totals.cold);
}

// A posterior of another planet: the ordinary start takes over, to the bit.
TEST(BoundPath, FallsBackToTheOrdinaryStart) {
  const Grid grid;
  const BoundInputs inputs = grid.bound(40, 0.025);
  const PacBayesResult cold = minimize_bound(grid.space.cost, inputs, grid.prior);
  for (const double far : {50.0, 1e100}) {  // the second overflows
    Posterior elsewhere = cold.posterior;
    elsewhere.mean *= 1 + far;
    const PacBayesResult result =
        minimize_bound(grid.space.cost, inputs, grid.prior, {}, &elsewhere);
    EXPECT_EQ(result.posterior.mean, cold.posterior.mean);
    EXPECT_EQ(result.posterior.variance, cold.posterior.variance);
    EXPECT_EQ(result.evaluations, cold.evaluations);
  }
}

TEST(BoundPath, EndsWhenInterrupted) {
  Grid grid;
  for (const double delta : {0.1, 0.05, 0.02}) grid.add(grid.bound(40, delta));
  int steps = 0;
  PacBayesOptions options;
  options.on_step = [&](const LearningStep&) { return ++steps < 2; };
  EXPECT_EQ(minimize_along(grid.space.cost, grid.points, options).size(), 1U);
}

// y_i ~ N(x, v): prior N(c, s^2), posterior known in closed form for both priors.
TEST(BoundPath, ExchangesThePriorOfAGaussianPosterior) {
  const CausalPattern pattern{state_feedback(1, 1, 2), false, false};
  const auto filled = [&](double value) {
    Matrix m = Matrix::Constant(pattern.rows(), pattern.cols(), value);
    project_causal(pattern, m);
    return m;
  };
  const double data = 3, Z_d = 0.7;
  const auto posterior = [&](double c, double s) {
    const double V = 1 / (data + 1 / (s * s));
    return Posterior{filled(V * (data * Z_d + c / (s * s))), filled(V)};
  };
  const Prior from{filled(0.2), 0.5}, to{filled(-1), 2};
  const Posterior moved = under_other_prior(posterior(0.2, 0.5), from, to, pattern);
  EXPECT_TRUE(moved.mean.isApprox(posterior(-1, 2).mean, 1e-13));
  EXPECT_TRUE(moved.variance.isApprox(posterior(-1, 2).variance, 1e-13));
  EXPECT_NO_THROW(check_posterior(moved, pattern));
}

}  // namespace
}  // namespace loopcert::testing
