#include "learning/pac_bayes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "certificate/kinds.hpp"
#include "certificate/premises.hpp"
#include "chance.hpp"
#include "paper_problem.hpp"
#include "random_system.hpp"
#include "response/space.hpp"
#include "risk/risk.hpp"
#include "seed.hpp"

namespace loopcert::testing {
namespace {

struct Statistics {
  double mean = 0, deviation = 0;
};
Statistics statistics(const Vector& values) {
  const double mean = values.mean();
  const auto n = static_cast<double>(values.size());
  return {mean, std::sqrt((values.array() - mean).square().sum() / (n - 1))};
}

// Reference means and standard deviations over 20 other seeds, optimizer run to convergence, and
// the published certificate with its deviation.
struct Row {
  Index n;
  Statistics data_cost, oracle_cost, certificate, prescient;
  double data_C;
  double published, published_deviation;
};
const std::array<Row, 5> table = {{
    {10, {3.203, .009}, {3.263, .017}, {96.07, 1.33}, {10.37, .35}, .844, 97.51, .83},
    {20, {3.215, .010}, {3.239, .014}, {44.07, .61}, {8.19, .21}, .852, 44.48, .83},
    {40, {3.225, .013}, {3.220, .019}, {22.41, .47}, {6.70, .20}, .863, 22.57, .37},
    {100, {3.219, .013}, {3.185, .012}, {11.00, .23}, {5.43, .12}, .873, 11.19, .19},
    {400, {3.175, .007}, {3.150, .005}, {5.63, .10}, {4.33, .07}, .878, 5.68, .11},
}};

// Two independent samples of 20: Welch's test of their difference.
void expect_within(const Statistics& ours, const Statistics& reference, double rounding,
                   const std::string& what) {
  const double a = std::pow(ours.deviation, 2) / 20, b = std::pow(reference.deviation, 2) / 20;
  const boost::math::students_t t(19 * std::pow(a + b, 2) / (a * a + b * b));
  EXPECT_NEAR(ours.mean, reference.mean,
              quantile(complement(t, false_alarm / 2)) * std::sqrt(a + b) + rounding)
      << what;
}

TEST(PaperTables, AreReproduced) {
  const PaperProblem problem;
  for (const Row& row : table) {
    SCOPED_TRACE("n = " + std::to_string(row.n));
    Vector cost(20), C(20), certificate(20), prescient(20), oracle_cost(20);
    for (Index seed = 0; seed < 20; ++seed) {
      const Evidence e = problem.evidence(static_cast<std::uint64_t>(seed), row.n);
      const BoundSetup setup = problem.setup("data-driven", e);
      const PacBayesResult data = minimize_bound(problem.space.cost, setup.inputs, problem.prior);
      EXPECT_EQ(data.status, SolverStatus::converged);
      certificate(seed) = data.bound.value;
      cost(seed) = risk(problem.space.cost, problem.law.covariance, data.posterior.mean);
      C(seed) = sensitivity(problem.space.cost, problem.law.covariance, data.posterior.mean);
      const BoundSetup oracle = problem.setup("oracle", e);
      prescient(seed) =
          evaluate_bound(problem.space.cost, oracle.inputs, problem.prior, data.posterior).value;
      const PacBayesResult best = minimize_bound(problem.space.cost, oracle.inputs, problem.prior);
      EXPECT_EQ(best.status, SolverStatus::converged);
      oracle_cost(seed) = risk(problem.space.cost, problem.law.covariance, best.posterior.mean);
    }
    expect_within(statistics(cost), row.data_cost, 5e-4, "data PB cost");
    expect_within(statistics(oracle_cost), row.oracle_cost, 5e-4, "oracle PB cost");
    expect_within(statistics(certificate), row.certificate, 5e-3, "data certificate");
    expect_within(statistics(prescient), row.prescient, 5e-3, "prescient certificate");
    // The reference gives no deviation of C: that of our own sample stands for both.
    const double t = quantile(complement(boost::math::students_t(19), false_alarm / 2));
    EXPECT_NEAR(C.mean(), row.data_C, t * statistics(C).deviation * std::sqrt(2.0 / 20) + 5e-4);
    EXPECT_LE(certificate.mean(), row.published + row.published_deviation +
                                      t * statistics(certificate).deviation / std::sqrt(20.0));
  }
}

// The bound is proportional to the disturbances' second moment: so is its minimum, in any units.
TEST(PacBayes, DoesNotDependOnTheUnitsOfTheCost) {
  const PaperProblem problem;
  const BoundSetup setup = problem.setup("data-driven", problem.evidence(3, 20));
  const PacBayesResult reference = minimize_bound(problem.space.cost, setup.inputs, problem.prior);
  for (const double units : {1e-10, 1e-4, 1e4, 1e10}) {
    BoundInputs inputs = setup.inputs;
    for (Matrix* m : {&inputs.Sigma_hat, &inputs.U}) *m *= units;
    inputs.spread *= units;
    const PacBayesResult result = minimize_bound(problem.space.cost, inputs, problem.prior);
    EXPECT_EQ(result.status, SolverStatus::converged);
    EXPECT_NEAR(result.bound.value / units, reference.bound.value, 1e-9 * reference.bound.value);
  }
}

// For a fixed lambda the problem is convex: a search over lambda is what any optimizer could reach.
TEST(GlobalCheck, DefaultOptimizerReachesIt) {
  const PaperProblem problem;
  for (const Index n : {10, 100}) {
    const BoundSetup setup = problem.setup("data-driven", problem.evidence(3, n));
    const PacBayesResult local = minimize_bound(problem.space.cost, setup.inputs, problem.prior);
    const GlobalCheck global = global_minimum(problem.space.cost, setup.inputs, problem.prior);
    EXPECT_LE(local.bound.value, global.value * (1 + 1e-6));
    EXPECT_NEAR(local.bound.complexity.lambda, global.lambda, 1e-3 * global.lambda);
  }
}

// Convexity in (Z, sqrt V) at fixed lambda, on random segments.
TEST(GlobalCheck, FixedLambdaIsConvexInMeanAndDeviation) {
  const PaperProblem problem;
  BoundSetup setup = problem.setup("data-driven", problem.evidence(1, 20));
  setup.inputs.lambda = 0.5;
  const auto value = [&](const Matrix& Z, const Matrix& sigma) {
    return evaluate_bound(problem.space.cost, setup.inputs, problem.prior, {Z, sigma.cwiseAbs2()})
        .value;
  };
  for (std::uint64_t i = 0; i < 30; ++i) {
    const Matrix Z_0 = random_coordinates(problem.space.coordinates.pattern, 10 * i + 1);
    const Matrix Z_1 = random_coordinates(problem.space.coordinates.pattern, 10 * i + 2);
    const Matrix s_0 = random_coordinates(problem.space.coordinates.pattern, 10 * i + 3).cwiseAbs();
    const Matrix s_1 = random_coordinates(problem.space.coordinates.pattern, 10 * i + 4).cwiseAbs();
    const double middle = value(0.5 * (Z_0 + Z_1), 0.5 * (s_0 + s_1));
    EXPECT_LE(middle, 0.5 * (value(Z_0, s_0) + value(Z_1, s_1)) * (1 + 1e-12));
  }
}

// Random systems, affine and not, every smooth kind: the optimizer ends at a stationary point that
// no random perturbation improves. The rank-aware bound of rank r has one: as V -> 0 its best
// lambda grows as V^-k, k = p / (r (n - 1)), and the bound as a V - b V^k. With k near 1 the
// minimum is where no digit of V is left, beyond 1 there is none; hence n for k <= 1/4.
TEST(MinimizeBound, EndsAtAMinimumForEveryKind) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const Shape shape = random_shape(seed);
    const System system = random_system(shape, seed);
    const ResponseSpace space = make_response_space(system, {.affine = seed % 2 == 0});
    const Index rank = system.sizes().d_w();
    const Index n = std::max<Index>(25, 2 + 4 * space.coordinates.p() / rank);
    const Evidence e = evidence_of(random_disturbances(system.sizes(), n, seed));
    Assumptions assumptions;
    assumptions.scale_bound = 3;
    assumptions.radius = 2 * e.largest_norm;
    const Law law{e.moments.mean,
                  e.moments.covariance() +
                      0.1 * Matrix::Identity(e.moments.mean.size(), e.moments.mean.size())};
    const Prior prior{
        Matrix::Zero(space.coordinates.pattern.rows(), space.coordinates.pattern.cols()), 1.0};
    for (const PosteriorKind& kind : posterior_kinds()) {
      if (!kind.setup) continue;
      SCOPED_TRACE(kind.name + " " + shape_text(shape));
      assumptions.model = kind.name.starts_with("bounded") ? "bounded" : "gaussian";
      assumptions.white = true;
      assumptions.covariance_bound = law.covariance;
      assumptions.law = kind.oracle ? std::optional(law) : std::nullopt;
      const Setting setting{system, space, assumptions, e, split_delta(kind.events, 0.05, {})};
      if (kind.needs(premises_of(setting))) continue;  // too few trajectories for some
      const BoundSetup setup = kind.setup(setting);
      PacBayesOptions patient;  // the worst of these plants take more than the usual 2000
      patient.max_iterations = 50000;
      const PacBayesResult best = minimize_bound(space.cost, setup.inputs, prior, patient);
      EXPECT_EQ(best.status, SolverStatus::converged) << best.gradient_norm;
      for (std::uint64_t i = 0; i < 10; ++i) {
        Posterior other = best.posterior;
        other.mean += 1e-2 * random_coordinates(space.coordinates.pattern, 100 * seed + i);
        other.variance = other.variance.cwiseProduct(
            (0.05 * random_coordinates(space.coordinates.pattern, 200 * seed + i))
                .array()
                .exp()
                .matrix());
        EXPECT_GE(evaluate_bound(space.cost, setup.inputs, prior, other).value,
                  best.bound.value * (1 - 1e-9));
      }
    }
  }
}

TEST(MinimizeBound, IsDeterministicAndIndependentOfThreads) {
  // Large enough for tiles, panels and pieces of vectors: 120 x 246 entries, p = 14,760.
  const System system = random_system({6, 3, 40}, 1);
  const ResponseSpace space = make_response_space(system, {});
  const Law law{Vector::Zero(246), 0.1 * Matrix::Identity(246, 246)};
  const Evidence e = evidence_of(sample_disturbances(law, test_stream(1, 0), 50));
  const PaperProblem problem;
  const BoundSetup setup =
      posterior_kind("data-driven").setup({system, space, problem.assumptions, e, problem.delta});
  const Prior prior{Matrix::Zero(120, 246), 1.0};
  PacBayesOptions options;
  options.max_iterations = static_cast<int>(test_count(8, 2));
  const PacBayesResult one = minimize_bound(space.cost, setup.inputs, prior, options);
  for (const int threads : {1, 2, 4}) {
    const std::unique_ptr<Backend> backend = cpu_backend(threads);
    options.backend = backend.get();
    const PacBayesResult more = minimize_bound(space.cost, setup.inputs, prior, options);
    EXPECT_TRUE(one.posterior.mean == more.posterior.mean);
    EXPECT_TRUE(one.posterior.variance == more.posterior.variance);
    EXPECT_EQ(one.bound.value, more.bound.value);
  }
}

TEST(MinimizeBound, InterruptionLeavesAValidBound) {
  const PaperProblem problem;
  const BoundSetup setup = problem.setup("data-driven", problem.evidence(5, 20));
  PacBayesOptions options;
  options.on_step = [](const LearningStep& step) { return step.iteration < 3; };
  const PacBayesResult early =
      minimize_bound(problem.space.cost, setup.inputs, problem.prior, options);
  EXPECT_EQ(early.status, SolverStatus::interrupted);
  EXPECT_EQ(early.iterations, 3);
  const double again =
      evaluate_bound(problem.space.cost, setup.inputs, problem.prior, early.posterior).value;
  EXPECT_EQ(early.bound.value, again);
  const PacBayesResult full = minimize_bound(problem.space.cost, setup.inputs, problem.prior);
  EXPECT_GT(early.bound.value, full.bound.value);
  // A warm start from the end converges at once, to the same bound.
  const PacBayesResult warm =
      minimize_bound(problem.space.cost, setup.inputs, problem.prior, {}, &full.posterior);
  EXPECT_LE(warm.iterations, 3);
  EXPECT_NEAR(warm.bound.value, full.bound.value, 1e-9 * full.bound.value);
}

// The mechanism the paper describes: a prior that is centred on the data's own minimizer (and so
// saw the data) gives a smaller number. It would not be a certificate.
TEST(Prior, ThatSawTheDataWouldLookBetter) {
  const PaperProblem problem;
  const BoundSetup setup = problem.setup("data-driven", problem.evidence(2, 20));
  const PacBayesResult honest = minimize_bound(problem.space.cost, setup.inputs, problem.prior);
  const Prior cheat{honest.posterior.mean, 0.2};
  EXPECT_LT(minimize_bound(problem.space.cost, setup.inputs, cheat).bound.value,
            honest.bound.value);
}

}  // namespace
}  // namespace loopcert::testing
