#include "workflow/learn_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/linalg.hpp"
#include "input_error.hpp"
#include "loopcert/data/law.hpp"
#include "loopcert/simulation/rollout.hpp"
#include "random_system.hpp"
#include "seed.hpp"

namespace loopcert::testing {
namespace {

Problem double_integrator_problem(const std::string& method) {
  Problem problem;
  problem.name = "double integrator";
  problem.system = double_integrator();
  const Index d_w = problem.sizes().d_w();
  problem.disturbance.law = Law{Vector::Zero(d_w), 0.1 * Matrix::Identity(d_w, d_w)};
  problem.learning.method = method;
  return problem;
}

Problem random_problem(const std::string& method, std::uint64_t seed) {
  Problem problem;
  problem.system = random_system(random_shape(seed), seed);
  problem.response.affine = seed % 2 == 0;
  const Index d_w = problem.sizes().d_w();
  const Matrix W = random_matrix(d_w, d_w, seed + 7);
  problem.disturbance.law = Law{random_matrix(d_w, 1, seed + 8), W * W.transpose()};
  problem.learning.method = method;
  return problem;
}

Disturbances sampled(const Problem& problem, Index n, std::uint64_t seed = 1) {
  return sample_disturbances(*problem.disturbance.law, test_stream(seed, 0), n);
}

double simulated_mean(const Problem& problem, const LearnRun& run, const Matrix& w) {
  return simulate(problem.system, run.controller, {w}, false).cost.mean();
}

// E of a quadratic cost from simulations alone: with covariance = sum_j s_j s_j',
//   E l(w) = l(mean) + sum_j ((l(mean + s_j) + l(mean - s_j)) / 2 - l(mean)).
double simulated_expectation(const Problem& problem, const LearnRun& run) {
  const Law& law = *problem.disturbance.law;
  const Matrix factor = psd_factor(law.covariance);
  Matrix points(2 * factor.cols(), law.mean.size());
  points << factor.transpose(), -factor.transpose();
  points.rowwise() += law.mean.transpose();
  const double at_mean = simulated_mean(problem, run, law.mean.transpose());
  const auto r = static_cast<double>(factor.cols());
  return at_mean + r * (simulated_mean(problem, run, points) - at_mean);
}

class EveryMethod : public ::testing::TestWithParam<const char*> {};

TEST_P(EveryMethod, CostsAreThoseOfTheControllerInClosedLoop) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const Problem problem = random_problem(GetParam(), seed);
    const Disturbances data = sampled(problem, 40, seed);
    const LearnRun run = run_learn(problem, data);
    const double empirical = simulated_mean(problem, run, data.w);
    const double population = simulated_expectation(problem, run);
    EXPECT_NEAR(*run.empirical_cost, empirical, 1e-7 * empirical) << "seed " << seed;
    EXPECT_NEAR(*run.population_cost, population, 1e-7 * population) << "seed " << seed;
    EXPECT_EQ(run.method, GetParam());
    EXPECT_EQ(run.n, 40);
    if (problem.response.affine) {  // then LQR and every other response lie in the space
      EXPECT_LE(*run.optimal_cost, *run.population_cost * (1 + 1e-9)) << "seed " << seed;
      EXPECT_LE(*run.optimal_cost, *run.lqr_cost * (1 + 1e-9)) << "seed " << seed;
    }
  }
}

TEST_P(EveryMethod, RecordHasEveryFieldAndNullsWhereTheLawIsUnknown) {
  Problem problem = double_integrator_problem(GetParam());
  const Disturbances data = sampled(problem, 30);
  const nlohmann::json known = learn_run_to_json(run_learn(problem, data));
  problem.disturbance.law.reset();
  const nlohmann::json unknown = learn_run_to_json(run_learn(problem, data));
  for (const char* key : {"status", "method", "n", "p", "certificate", "empirical_cost",
                          "lqr_empirical_cost", "details", "seconds"}) {
    EXPECT_TRUE(known.contains(key)) << key;
    EXPECT_TRUE(unknown.contains(key)) << key;
  }
  for (const char* key : {"population_cost", "sensitivity", "optimal_cost", "lqr_cost"}) {
    EXPECT_TRUE(known.at(key).is_number()) << key;
    EXPECT_TRUE(unknown.at(key).is_null()) << key;
  }
  EXPECT_EQ(known["empirical_cost"], unknown["empirical_cost"]);
  EXPECT_EQ(known["status"], "done");
}

TEST_P(EveryMethod, SaysWhereTheControllerCameFrom) {
  const Problem problem = double_integrator_problem(GetParam());
  const auto provenance = run_learn(problem, sampled(problem, 30)).controller.provenance;
  EXPECT_EQ(provenance.at("method"), GetParam());
  EXPECT_EQ(provenance.at("problem"), "double integrator");
  EXPECT_EQ(provenance.at("n"), "30");
}

INSTANTIATE_TEST_SUITE_P(Methods, EveryMethod, ::testing::Values("lqr", "erm", "ridge"));

TEST(Learn, LqrNeedsNoDataAndIsOptimalUnderWhiteNoise) {
  const LearnRun run = run_learn(double_integrator_problem("lqr"), {});
  EXPECT_EQ(run.n, 0);
  EXPECT_EQ(run.p, 110);
  EXPECT_FALSE(run.empirical_cost);
  EXPECT_TRUE(learn_run_to_json(run)["empirical_cost"].is_null());
  EXPECT_NEAR(*run.population_cost, 3.117638784350, 1e-10);
  EXPECT_NEAR(*run.optimal_cost, 3.117638784350, 1e-10);
  EXPECT_NEAR(*run.lqr_cost, 3.117638784350, 1e-10);
}

TEST(Learn, ErmHasTheSmallestEmpiricalCost) {
  Problem problem = double_integrator_problem("erm");
  const Disturbances data = sampled(problem, 60);
  const LearnRun erm = run_learn(problem, data);
  EXPECT_TRUE(erm.details["determined"]);
  EXPECT_EQ(erm.details["rank"], 20);
  EXPECT_TRUE(erm.warnings.empty());
  EXPECT_LT(*erm.empirical_cost, *erm.lqr_empirical_cost);
  problem.learning.method = "ridge";
  EXPECT_LT(*erm.empirical_cost, *run_learn(problem, data).empirical_cost);
}

TEST(Learn, ErmSaysWhenTheDataDoNotDetermineIt) {
  const Problem problem = double_integrator_problem("erm");
  const LearnRun run = run_learn(problem, sampled(problem, 5));
  EXPECT_FALSE(run.details["determined"]);
  EXPECT_EQ(run.details["rank"], 5);
  ASSERT_EQ(run.warnings.size(), 1u);
  EXPECT_TRUE(contains(run.warnings[0].text, "rank 5 of 20"));
}

TEST(Learn, RidgeByCrossValidationTakesTheBestOfItsTable) {
  Problem problem = double_integrator_problem("ridge");
  problem.learning.gamma.reset();
  const Disturbances data = sampled(problem, 40);
  Index calls = 0, last_total = 0;
  LearnCallbacks callbacks;
  callbacks.progress = [&](std::string_view what, Index done, Index total) {
    EXPECT_EQ(what, "cross-validation");
    EXPECT_EQ(done, ++calls);
    last_total = total;
  };
  const LearnRun run = run_learn(problem, data, callbacks);
  EXPECT_GT(calls, 0);
  EXPECT_EQ(calls, last_total);

  const nlohmann::json& table = run.details["cross_validation"];
  const auto cost = table["cost"].get<std::vector<double>>();
  const auto best = std::min_element(cost.begin(), cost.end()) - cost.begin();
  EXPECT_EQ(table["gamma"][static_cast<size_t>(best)], run.details["gamma"]);

  problem.learning.gamma = run.details["gamma"].get<double>();  // given, it makes the same
  const LearnRun again = run_learn(problem, data);
  EXPECT_EQ(again.controller.K, run.controller.K);
  EXPECT_TRUE(again.details["cross_validation"].is_null());
}

TEST(Learn, RefusesWhatItCannotUse) {
  const auto message = [](const Problem& problem, const Disturbances& data) {
    return input_error([&] { run_learn(problem, data); });
  };
  const Disturbances data = sampled(double_integrator_problem("lqr"), 3);
  EXPECT_TRUE(contains(message(double_integrator_problem("pac-bayesian"), data),
                       "learning.method: found \"pac-bayesian\", expected " + learn_method_list()));
  EXPECT_TRUE(contains(message(double_integrator_problem("rigde"), data), "did you mean 'ridge'?"));
  EXPECT_TRUE(contains(message(double_integrator_problem("erm"), {}), "no trajectories"));
  EXPECT_TRUE(contains(message(double_integrator_problem("lqr"), {Matrix::Zero(3, 21)}), "22"));
  Problem problem = double_integrator_problem("ridge");
  problem.learning.gamma.reset();
  EXPECT_TRUE(contains(message(problem, {Matrix::Zero(3, 22)}), "all entries are zero"));
}

TEST(Learn, NumbersThatOverflowAreAFailureAndNotAResult) {
  Problem problem = double_integrator_problem("erm");
  problem.system.plant.A[0] *= 1e40;
  EXPECT_THROW(run_learn(problem, sampled(problem, 30)), NumericsError);
  problem = double_integrator_problem("ridge");
  problem.learning.gamma.reset();  // a variance of costs near 1e300 is not finite
  EXPECT_THROW(run_learn(problem, {1e150 * sampled(problem, 30).w}), NumericsError);
}

// One setup, many data sets: the numbers of learn() to the bit, and nothing for files.
TEST(LearnNumbers, AreThoseOfLearn) {
  for (const char* method :
       {"lqr", "ridge", "shrinkage", "auto", "pac-bayes", "oracle-pac-bayes"}) {
    SCOPED_TRACE(method);
    Problem problem = double_integrator_problem(method);
    problem.disturbance.scale_bound = 0.1;
    const LearnMethod& used = find_learn_method(method);
    if (!used.posterior) problem.certificate.kind = "best";
    const LearningSetup setup = make_learning_setup(problem);
    for (const std::uint64_t seed : {1, 2}) {
      const Disturbances data = sampled(problem, 30, seed);
      const LearnRun whole = run_learn(problem, data);
      const LearnRun numbers = learn_numbers(problem, setup, costs_under_law(problem, setup), data);
      nlohmann::json expected = learn_run_to_json(whole), found = learn_run_to_json(numbers);
      for (nlohmann::json* run : {&expected, &found}) {
        run->erase("seconds");
        run->erase("warnings");  // the numbers alone are not held against assumptions
        run->erase("signals");
        run->erase("signals_from");
        for (const char* key : {"certificate", "improvement"})
          if (run->at(key).is_object()) run->at(key).erase("inputs");
      }
      EXPECT_EQ(found.dump(), expected.dump());
      EXPECT_EQ(numbers.controller.K, whole.controller.K);
      EXPECT_TRUE(numbers.controller.learned_from.empty());
      ASSERT_TRUE(whole.certificate);
      EXPECT_TRUE(whole.inputs.contains("data_sha256"));
      EXPECT_FALSE(numbers.inputs.contains("data_sha256"));
    }
  }
}

}  // namespace
}  // namespace loopcert::testing
