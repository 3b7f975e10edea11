// Learning for plants that are seen through outputs: one form against another, and against the
// problem of the state.
#include <gtest/gtest.h>

#include "loopcert/data/law.hpp"
#include "output_problem.hpp"
#include "seed.hpp"
#include "workflow/learn_run.hpp"

namespace loopcert::testing {
namespace {

// Controllers that are learned from the same trajectories.
Matrix learned(const Problem& problem, const char* method, const Matrix& eta) {
  Problem asked = problem;
  asked.learning.method = method;
  return run_learn(asked, {eta}).controller.K;
}

TEST(Outputs, EveryFormOfAPlantGivesOneController) {
  const Index T = 5;
  // (0.5 z + 0.2) / (z^2 - 1.2 z + 0.35), two steps late
  const Json state_space = {
      {"A", {{1.2, -0.35}, {1, 0}}}, {"B", {{1}, {0}}}, {"C", {{0.5, 0.2}}}, {"delay", 1}};
  const Json transfer = {
      {"transfer", {{"num", {0.5, 0.2}}, {"den", {1, -1.2, 0.35}}, {"delay", 1}}}};
  std::vector<double> h, steps;
  double y1 = 0, y2 = 0, sum = 0;
  for (Index k = 1; k < T; ++k) {  // by hand
    const double y = 1.2 * y1 - 0.35 * y2 + (k == 1 ? 0.5 : k == 2 ? 0.2 : 0.0);
    h.push_back(y);
    steps.push_back(sum += y);
    y2 = y1;
    y1 = y;
  }
  const Json impulse = {{"impulse", h}, {"delay", 1}}, step = {{"step", steps}, {"delay", 1}};
  // Coloured: of white ones a delay leaves nothing.
  Matrix eta = random_disturbances({1, 1, 1, 1, T}, 40, 3).w;
  for (Index t = 1; t <= T; ++t) eta.col(t) += 0.9 * eta.col(t - 1);
  for (const char* method : {"erm", "shrinkage", "identified", "ridge"}) {
    const Matrix K = learned(problem_of(state_space, T, 1, 1), method, eta);
    EXPECT_GT(K.norm(), 1e-3) << method;
    for (const Json& form : {transfer, impulse, step}) {
      const Problem problem = problem_of(form, T, 1, 1);
      EXPECT_LT((learned(problem, method, eta) - K).norm(), 1e-9 * K.norm()) << method << form;
      EXPECT_EQ(problem_hash(problem_from_json(problem_to_json(problem))), problem_hash(problem));
    }
  }
}

// The same plant in operator form, F = I and eta the states without inputs: the same optimum.
TEST(Outputs, PurifiedStatesGiveTheSameOptimum) {
  const Json A = {{1, 1}, {0, 1}}, B = {{0.5}, {1}}, I = {{1, 0}, {0, 1}};
  Problem state = problem_of({{"A", A}, {"B", B}}, 6, 2, 1);
  const Matrix W = random_matrix(14, 14, 5);
  state.disturbance.law = Law{Vector::Zero(14), W * W.transpose()};
  state.learning.method = "optimum";
  // G is that of (A, B, C = I), which a file would take for a state that is measured.
  Problem outputs = problem_of({{"A", A}, {"B", B}, {"C", I}, {"delay", 0}}, 6, 2, 1);
  Matrix F = Matrix::Identity(14, 14), G = Matrix::Zero(14, 6);
  const Matrix a = state.system.plant.A[0], b = state.system.plant.B[0];
  for (Index t = 0; t < 6; ++t) {
    F.middleRows(2 * t + 2, 2) += a * F.middleRows(2 * t, 2);
    G.middleRows(2 * t + 2, 2) = a * G.middleRows(2 * t, 2);
    G.block(2 * t + 2, t, 2, 1) += b;
  }
  outputs.system.plant = Plant();
  outputs.system.plant.T = 6;
  outputs.system.plant.G = G;
  outputs.disturbance.law = Law{Vector::Zero(14), F * W * W.transpose() * F.transpose()};
  outputs.learning.method = "optimum";
  const LearnRun one = run_learn(state, {}), other = run_learn(outputs, {});
  EXPECT_NEAR(*one.optimal_cost, *other.optimal_cost, 1e-9 * *one.optimal_cost);
  EXPECT_LT((one.controller.K - other.controller.K).norm(), 1e-7 * one.controller.K.norm());
}

// Two routes to one number: the filter with its gains, and the best response to the joint law.
TEST(Outputs, LqgIsTheOptimumForWhiteNoise) {
  const double known[] = {8.5559059, 11.1475661, 21.8971133};
  int row = 0;
  for (const double noise : {0.01, 0.1, 1.0}) {
    Json tree = {{"horizon", 10},
                 {"system", {{"A", {{1, 1}, {0, 1}}}, {"B", {{0.5}, {1}}}, {"C", {{1, 0}}}}},
                 {"cost", {{"Q", {1, 0.1}}, {"R", {0.5}}, {"P", {2, 0.2}}, {"of", "states"}}},
                 {"disturbance", {{"covariance", 0.1}, {"measurement", noise}}},
                 {"learning", {{"method", "lqg"}}}};
    const LearnRun run = run_learn(problem_from_json(tree), {});
    EXPECT_NEAR(*run.population_cost, known[row], 1e-7);
    EXPECT_NEAR(*run.optimal_cost, known[row++], 1e-7);
    // On the outputs: again both.
    tree["cost"] = {{"Q", {1}}, {"R", {0.5}}};
    const LearnRun outputs = run_learn(problem_from_json(tree), {});
    EXPECT_NEAR(*outputs.population_cost, *outputs.optimal_cost, 1e-9 * *outputs.optimal_cost);
  }
}

}  // namespace
}  // namespace loopcert::testing
