// Plants that are seen through outputs, from the problem file to the closed loop: against a state
// space that is simulated here step by step, and one form against another.
#include <gtest/gtest.h>

#include "controller/closed_loop.hpp"
#include "input_error.hpp"
#include "loopcert/simulation/rollout.hpp"
#include "output_problem.hpp"
#include "response/space.hpp"
#include "seed.hpp"

namespace loopcert::testing {
namespace {

class RandomOutputs : public ::testing::TestWithParam<int> {};

// u = K y + k through the state space with noise on states and outputs, and the same through G.
TEST_P(RandomOutputs, TheLoopIsThatOfTheStateSpace) {
  const auto seed = test_seed(static_cast<std::uint64_t>(GetParam()));
  const Index n = 3, n_u = 1 + GetParam() % 2, n_y = 1 + GetParam() % 3, T = 6;
  const OutputPlant plant = random_plant(n, n_u, n_y, T, static_cast<std::uint64_t>(GetParam()));
  const Matrix d = random_matrix(T, n, seed);
  const Problem problem = problem_of({{"A", list_of(plant.A)},
                                      {"B", list_of(plant.B)},
                                      {"C", list_of(plant.C)},
                                      {"d", rows_of(d)},
                                      {"delay", plant.delay}},
                                     T, n_y, n_u, {{"response", {{"affine", true}}}});
  const Sizes s = problem.sizes();
  EXPECT_EQ(s, Sizes(n_y, n_y, n_y, n_u, T));
  const ResponseSpace space = make_response_space(problem.system, problem.response);
  const Response r = response_at(problem.system, space.coordinates,
                                 random_coordinates(space.coordinates.pattern, seed + 1));
  const Controller controller = recover_controller(r, problem.system.plant);
  EXPECT_LT(realization_error(problem.system, controller, r), 1e-10);

  Matrix eta(5, s.d_y()), Y = eta, U(5, s.d_u());
  for (Index i = 0; i < eta.rows(); ++i) {
    const auto stream = seed + 10 * static_cast<std::uint64_t>(i);
    const Matrix w = random_matrix(n, T + 1, stream + 2), v = random_matrix(n_y, T + 1, stream + 3);
    ControllerRun run(controller);
    Vector x = w.col(0), free = w.col(0);  // with and without inputs
    for (Index t = 0; t <= T; ++t) {
      const Matrix& C = plant.C[static_cast<size_t>(t)];
      Y.row(i).segment(t * n_y, n_y) = C * x + v.col(t);
      eta.row(i).segment(t * n_y, n_y) = C * free + v.col(t);
      if (t == T) break;
      U.row(i).segment(t * n_u, n_u) = run.step(Y.row(i).segment(t * n_y, n_y).transpose());
      const Matrix& A = plant.A[static_cast<size_t>(t)];
      const Vector given = w.col(t + 1) + d.row(t).transpose();
      x = A * x + given;
      free = A * free + w.col(t + 1);  // the offset is known, and is no part of eta
      if (t >= plant.delay)
        x += plant.B[static_cast<size_t>(t)] *
             U.row(i).segment((t - plant.delay) * n_u, n_u).transpose();
    }
  }
  const double size = 1 + Y.norm() + U.norm();
  const Disturbances back = reconstruct_disturbances(problem.system.plant, {Y, U});
  EXPECT_LT((back.w - eta).norm(), 1e-10 * size);
  const Simulation found = simulate(problem.system, controller, {eta}, true);
  EXPECT_LT((found.paths.x - Y).norm(), 1e-10 * size);
  EXPECT_LT((found.paths.u - U).norm(), 1e-10 * size);
  for (Index i = 0; i < eta.rows(); ++i) {
    const double cost =
        Y.row(i).squaredNorm() + Y.row(i).tail(n_y).squaredNorm() + 0.5 * U.row(i).squaredNorm();
    EXPECT_NEAR(found.cost(i), cost, 1e-9 * (1 + cost));
  }
}

INSTANTIATE_TEST_SUITE_P(Random, RandomOutputs, ::testing::Range(1, 13));

// The same plant with its last output measured in tests alone: a controller of the others,
// simulated here through the state space, and its cost of all of them.
TEST_P(RandomOutputs, WhatTheControllerDoesNotSeeIsInTheCost) {
  const auto seed = test_seed(static_cast<std::uint64_t>(GetParam()) + 40);
  const Index n = 3, n_u = 1, n_y = 2 + GetParam() % 2, seen = n_y - 1, T = 5;
  const OutputPlant plant = random_plant(n, n_u, n_y, T, static_cast<std::uint64_t>(GetParam()));
  const Matrix d = random_matrix(T, n, seed);
  const Problem problem = problem_of({{"A", list_of(plant.A)},
                                      {"B", list_of(plant.B)},
                                      {"C", list_of(plant.C)},
                                      {"d", rows_of(d)},
                                      {"delay", plant.delay},
                                      {"test_only", 1}},
                                     T, n_y, n_u, {{"response", {{"affine", true}}}});
  const Sizes s = problem.sizes();
  EXPECT_EQ(s, Sizes(n_y, n_y, seen, n_u, T));
  const ResponseSpace space = make_response_space(problem.system, problem.response);
  const Response r = response_at(problem.system, space.coordinates,
                                 random_coordinates(space.coordinates.pattern, seed + 1));
  const Controller controller = recover_controller(r, problem.system.plant);
  EXPECT_EQ(controller.K.cols(), (T + 1) * seen);
  EXPECT_LT(realization_error(problem.system, controller, r), 1e-10);
  EXPECT_EQ(problem_hash(problem_from_json(problem_to_json(problem))), problem_hash(problem));

  Matrix Y(4, s.d_x()), U(4, s.d_u()), w(4, s.d_w());
  for (Index i = 0; i < Y.rows(); ++i) {
    const auto stream = seed + 10 * static_cast<std::uint64_t>(i);
    const Matrix noise = random_matrix(n, T + 1, stream + 2);
    ControllerRun run(controller);
    Vector x = noise.col(0), free = x;
    for (Index t = 0; t <= T; ++t) {
      const Matrix& C = plant.C[static_cast<size_t>(t)];
      const Vector y = C * x, eta = C * free;
      Y.row(i).segment(t * n_y, n_y) = y.transpose();
      w.row(i).segment(t * seen, seen) = eta.head(seen).transpose();
      w(i, s.d_y() + t) = eta(seen);
      if (t == T) break;
      U.row(i).segment(t * n_u, n_u) = run.step(y.head(seen));
      const Matrix& A = plant.A[static_cast<size_t>(t)];
      x = A * x + noise.col(t + 1) + d.row(t).transpose();
      free = A * free + noise.col(t + 1);
      if (t >= plant.delay)
        x += plant.B[static_cast<size_t>(t)] *
             U.row(i).segment((t - plant.delay) * n_u, n_u).transpose();
    }
  }
  const double size = 1 + Y.norm() + U.norm();
  EXPECT_LT((reconstruct_disturbances(problem.system.plant, {Y, U}).w - w).norm(), 1e-10 * size);
  const Simulation found = simulate(problem.system, controller, {w}, true);
  EXPECT_LT((found.paths.x - Y).norm(), 1e-10 * size);
  EXPECT_LT((found.paths.u - U).norm(), 1e-10 * size);
  // What is learned sees no column of the last output.
  EXPECT_TRUE(r.Phi_u.rightCols(T + 1).isZero(0.0));
}

// A first-order lag with dead time: 2 exp(-1.3 s) / (3 s + 1), sampled every second.
TEST(Outputs, AContinuousPlantIsSampledExactly) {
  const Index T = 6;
  const double a = std::exp(-1.0 / 3);
  const Json transfer = {{"transfer", {{"num", {2}}, {"den", {3, 1}}, {"delay", 1.3}}},
                         {"continuous", true},
                         {"dt", 1}};
  const Json state_space = {{"A", {{-1.0 / 3}}}, {"B", {{2.0 / 3}}},   {"C", {{1}}},
                            {"delay", 1.3},      {"continuous", true}, {"dt", 1}};
  // The step response at time t is 2 (1 - exp(-(t - 1.3) / 3)).
  std::vector<double> steps;
  for (Index t = 1; t <= T; ++t)
    steps.push_back(t < 1.3 ? 0 : 2 * (1 - std::exp(-(static_cast<double>(t) - 1.3) / 3)));
  const Matrix G = problem_of({{"step", steps}}, T, 1, 1).system.plant.G;
  EXPECT_LT((problem_of(transfer, T, 1, 1).system.plant.G - G).norm(), 1e-14);
  EXPECT_LT((problem_of(state_space, T, 1, 1).system.plant.G - G).norm(), 1e-14);
  // The state measured: A and B of a step are what the record has.
  const Problem state = problem_of(
      {{"A", {{-1.0 / 3}}}, {"B", {{2.0 / 3}}}, {"continuous", true}, {"dt", 1}}, T, 1, 1);
  EXPECT_NEAR(state.system.plant.A[0](0, 0), a, 1e-15);
  EXPECT_NEAR(state.system.plant.B[0](0, 0), 2 * (1 - a), 1e-15);
  EXPECT_EQ(problem_hash(problem_from_json(problem_to_json(state))), problem_hash(state));
}

// With C = I the problem is that of the state, to the last bit.
TEST(Outputs, TheStateItselfIsStateFeedback) {
  const Json A = {{1, 1}, {0, 1}}, B = {{0.5}, {1}}, I = {{1, 0}, {0, 1}};
  const Problem state = problem_of({{"A", A}, {"B", B}}, 4, 2, 1);
  const Problem outputs = problem_of({{"A", A}, {"B", B}, {"C", I}, {"delay", 0}}, 4, 2, 1);
  EXPECT_TRUE(outputs.system.plant.has_state());
  EXPECT_EQ(problem_hash(outputs), problem_hash(state));
}

TEST(Outputs, WhatMakesNoSenseIsRefused) {
  const auto refused = [](const Json& system, const char* words, const Json& more = {}) {
    EXPECT_TRUE(contains(input_error([&] { problem_of(system, 3, 1, 1, more); }), words));
  };
  const Json plain = {{"impulse", {1, 0.5}}};
  refused(plain, "response.start", {{"response", {{"start", "lqr"}}}});
  refused({{"impulse", {1, 0.5}}, {"A", {{1}}}}, "system.A");
  refused({{"impulse", {1, 0.5}}, {"dt", 1}}, "system.dt");
  refused({{"impulse", {1, 0.5}}, {"delay", 0.5}}, "system.delay");
  refused({{"impulse", {{1, 0.5}}}}, "system.impulse");
  refused({{"transfer", {{"num", {1, 1}}, {"den", {1, 0.5}}}}}, "must not act at once");
  refused({{"transfer", {{"num", {1}}, {"den", {0, 0}}}}}, "den");
  refused({{"transfer", {{"num", {1, 1}}, {"den", {1, 0.5}}}}, {"continuous", true}, {"dt", 1}},
          "must not jump");
  refused({{"transfer", {{"num", {1}}, {"den", {1, 0.5}}}}, {"continuous", true}}, "system.dt");
  refused({{"A", {{1}}}, {"B", {{1}}}, {"delay", 1}}, "system.delay");
  refused({{"A", {{1}}}, {"B", {{1}}}, {"C", {{1, 0}}}}, "system.C");
  refused({{"G", {{1, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}}}, "system.G");
  refused({{"impulse", {1, 0.5}}, {"identify", true}}, "system.identify");
}

}  // namespace
}  // namespace loopcert::testing
