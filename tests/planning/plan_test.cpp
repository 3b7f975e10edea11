#include "planning/plan.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "feedback_today.hpp"
#include "input_error.hpp"
#include "random_system.hpp"
#include "seed.hpp"
#include "workflow/learn_run.hpp"

namespace loopcert::testing {
namespace {

Problem planned() {
  Problem problem;
  problem.system = double_integrator();
  problem.disturbance.scale_bound = 0.1;
  problem.disturbance.law = Law{Vector::Zero(22), 0.1 * Matrix::Identity(22, 22)};
  return problem;
}

PlanOptions few(double target) {
  PlanOptions options;
  options.target = target;
  options.trials = 5;
  options.max_n = 200;
  return options;
}

double largest_eigenvalue(const Matrix& symmetric) {
  return Eigen::SelfAdjointEigenSolver<Matrix>(symmetric, Eigen::EigenvaluesOnly)
      .eigenvalues()
      .maxCoeff();
}

TEST(PlanLaw, ObeysWhatTheProblemAssumes) {
  Problem problem = planned();
  const Disturbances pilot = sample_disturbances(
      {Vector::Constant(22, 0.2), 0.3 * Matrix::Identity(22, 22)}, test_stream(1, 0), 15);
  const PlanLaw clipped = plan_law(problem, pilot);
  EXPECT_EQ(clipped.pilot, 15);
  EXPECT_TRUE(clipped.law.mean.isZero(0.0));
  EXPECT_LE(largest_eigenvalue(clipped.law.covariance), 0.1 * (1 + 1e-12));
  problem.disturbance.scale_bound.reset();
  problem.disturbance.zero_mean = false;
  const PlanLaw free = plan_law(problem, pilot);
  EXPECT_TRUE(free.law.mean.isApprox(pilot.w.colwise().mean().transpose(), 1e-13));
  EXPECT_GT(*free.shrinkage,
            0.5);  // 15 trajectories of 22 numbers, true covariance a multiple of I
  const Matrix x = pilot.w.rowwise() - free.law.mean.transpose();
  EXPECT_NEAR(free.law.covariance.trace(), x.squaredNorm() / 15, 1e-12);
  problem.disturbance.covariance_bound = 0.05 * Matrix::Identity(22, 22);
  EXPECT_LE(largest_eigenvalue(plan_law(problem, pilot).law.covariance), 0.05 * (1 + 1e-12));
  problem.disturbance.covariance_bound.reset();
  problem.disturbance.white = problem.disturbance.stationary = true;
  const Matrix blocks = plan_law(problem, pilot).law.covariance;
  EXPECT_EQ(blocks.block(2, 2, 2, 2), blocks.block(20, 20, 2, 2));
  EXPECT_TRUE(blocks.block(2, 4, 2, 18).isZero(0.0));
}

// The weight minimizes E ||weight mu I + (1 - weight) S - Sigma||_F^2; its estimate from 2000
// trajectories is near 0 for a law that is far from a multiple of I.
TEST(PlanLaw, ShrinksLessWithMoreData) {
  Problem problem = planned();
  problem.disturbance.scale_bound.reset();
  const Law law{Vector::Zero(22), ar1_covariance(problem.sizes(), 0.8, 0.1)};
  const PlanLaw little = plan_law(problem, sample_disturbances(law, test_stream(2, 0), 20));
  const PlanLaw much = plan_law(problem, sample_disturbances(law, test_stream(2, 0), 2000));
  EXPECT_LT(*much.shrinkage, 0.02);
  EXPECT_GT(*little.shrinkage, 3 * *much.shrinkage);
  EXPECT_LT((much.law.covariance - law.covariance).norm(), 0.2 * law.covariance.norm());
}

TEST(PlanLaw, NeedsAPilotOrALaw) {
  Problem problem = planned();
  EXPECT_EQ(plan_law(problem, {}).pilot, 0);
  EXPECT_EQ(plan_law(problem, {}).law.covariance, problem.disturbance.law->covariance);
  problem.disturbance.law.reset();
  EXPECT_TRUE(contains(input_error([&] { plan_law(problem, {}); }), "neither a pilot"));
  EXPECT_TRUE(
      contains(input_error([&] { plan_law(problem, {Matrix::Zero(1, 22)}); }), "at least 2"));
}

// The paper's certificate is 22.5 at n = 40 and 11.2 at n = 100 (docs/certificates.md).
TEST(Plan, FindsTheNumberThatLearnNeeds) {
  const Problem problem = planned();
  const Plan plan = make_plan(problem, {}, few(15));
  ASSERT_TRUE(plan.enough);
  EXPECT_GT(*plan.enough, 40);
  EXPECT_LT(*plan.enough, 100);
  EXPECT_NEAR(plan.optimal_cost, 3.117638784350, 1e-9);
  for (size_t i = 1; i < plan.points.size(); ++i) {
    EXPECT_LT(plan.points[i - 1].n, plan.points[i].n);
    EXPECT_GT(plan.points[i - 1].median, plan.points[i].median);
  }
  for (const PlanPoint& p : plan.points) {
    EXPECT_LE(p.low, p.median);
    EXPECT_LE(p.median, p.high);
    if (p.n >= *plan.enough) {
      EXPECT_GE(p.share, 0.8);
    }
    if (p.n < *plan.enough) {
      EXPECT_LT(p.share, 0.8);
    }
    EXPECT_GE(p.cost, plan.optimal_cost);
  }
}

TEST(Plan, DoesNotDependOnThreads) {
  PlanOptions options = few(20);
  const std::string one = plan_to_json(make_plan(planned(), {}, options)).dump();
  options.threads = 3;
  EXPECT_EQ(plan_to_json(make_plan(planned(), {}, options)).dump(), one);
}

TEST(Plan, SaysWhenTheTargetIsOutOfReach) {
  const Plan far = make_plan(planned(), {}, few(5));
  EXPECT_FALSE(far.enough);
  EXPECT_EQ(far.points.back().n, 200);
  EXPECT_EQ(plan_answer(far).find("no number"), std::string::npos);
  const Plan never = make_plan(planned(), {}, few(3));
  EXPECT_TRUE(contains(plan_answer(never), "every controller costs at least 3.11764"));
  EXPECT_TRUE(plan_to_json(never)["enough"].is_null());
}

TEST(Plan, TakesEveryMethodThatCertifies) {
  PlanOptions options = few(1e6);
  options.trials = 2;
  for (const LearnMethod& method : learn_methods()) {
    Problem problem = planned();
    problem.baseline = feedback_today(problem);
    problem.learning.method = method.name;
    // for plants that are identified, or seen through outputs
    if (method.name == "guaranteed" || method.name == "lqg") {
      EXPECT_THROW(make_plan(problem, {}, options), InputError);
      continue;
    }
    if (method.gated) problem.certificate.kind = "best";
    if (method.posterior || method.gated) {
      EXPECT_TRUE(make_plan(problem, {}, options).enough) << method.name;
      continue;
    }
    EXPECT_TRUE(contains(input_error([&] { make_plan(problem, {}, options); }),
                         "one that gives certificate"));
    problem.certificate.kind = method.needs_data ? "cross-chi-square" : "hold-out-chi-square";
    EXPECT_TRUE(make_plan(problem, {}, options).enough) << method.name;
  }
  // Bounded disturbances: simulated trajectories must obey the radius, or learn() refuses them.
  Problem bounded = planned();
  bounded.disturbance.model = "bounded";
  bounded.disturbance.radius = 1;
  bounded.certificate.kind = "bounded";
  EXPECT_TRUE(make_plan(bounded, {}, options).enough);
  // This kind needs three trajectories: the smaller sizes fail, the others do not.
  Problem mean = planned();
  mean.certificate.kind = "data-driven-mean";
  EXPECT_TRUE(make_plan(mean, {}, options).enough);
}

TEST(Plan, GivesTheReasonWhenNothingCertifies) {
  Problem problem = planned();
  problem.disturbance.scale_bound.reset();
  EXPECT_TRUE(contains(input_error([&] { make_plan(problem, {}, few(5)); }),
                       "disturbance.scale_bound: found nothing"));
}

}  // namespace
}  // namespace loopcert::testing
