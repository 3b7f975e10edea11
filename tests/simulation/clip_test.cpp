// Clipped rollouts against the definition, one state at a time.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "controller/closed_loop.hpp"
#include "controller/memory_controller.hpp"
#include "input_error.hpp"
#include "loopcert/simulation/rollout.hpp"
#include "random_system.hpp"
#include "response/space.hpp"
#include "seed.hpp"
#include "simulation/simulation_json.hpp"

namespace loopcert::testing {
namespace {

struct Loop {
  System system;
  Controller controller;
  Disturbances data;
  Matrix clip;  // near what the inputs do, so that some are clipped and some are not
};

Loop random_loop(std::uint64_t seed, Index n) {
  const System system = random_system(random_shape(seed), seed);
  const ResponseSpace space = make_response_space(system, {.affine = (seed % 2) == 0});
  const Response r =
      response_at(system, space.coordinates, random_coordinates(space.coordinates.pattern, seed));
  Loop loop{system, recover_controller(r, system.sizes()),
            random_disturbances(system.sizes(), n, seed), Matrix(system.sizes().n_u, 2)};
  const Simulation free = simulate(system, loop.controller, loop.data, true);
  for (Index i = 0; i < system.sizes().n_u; ++i) {
    Vector values(n * system.sizes().T);
    for (Index t = 0; t < system.sizes().T; ++t)
      values.segment(t * n, n) = free.paths.u.col(t * system.sizes().n_u + i);
    std::sort(values.begin(), values.end());
    // Between two values: rounding decides nothing.
    const Index low = values.size() / 4, high = values.size() - 1 - low;
    loop.clip(i, 0) = 0.5 * (values(low - 1) + values(low));
    loop.clip(i, 1) = 0.5 * (values(high) + values(high + 1));
  }
  return loop;
}

class RandomClip : public ::testing::TestWithParam<int> {};

TEST_P(RandomClip, EqualsTheDefinition) {
  const auto seed = static_cast<std::uint64_t>(GetParam());
  const Loop loop = random_loop(seed, 9);
  const auto& [system, controller, data, clip] = loop;
  const Sizes s = system.sizes();
  const Simulation run = simulate(system, controller, data, true, 1, clip);
  for (Index i = 0; i < data.n(); ++i) {
    ControllerRun live(controller);
    Vector x = data.w.row(i).head(s.n_x), count = Vector::Zero(s.n_u);
    double cost = 0;
    for (Index t = 0; t < s.T; ++t) {
      const Vector asked = live.step(x);
      const Vector u = asked.cwiseMax(clip.col(0)).cwiseMin(clip.col(1));
      count += (asked.array() != u.array()).cast<double>().matrix();
      // In the rollout inputs lie inside exactly, not up to rounding.
      const Vector found = run.paths.u.row(i).segment(t * s.n_u, s.n_u);
      EXPECT_TRUE((found.array() >= clip.col(0).array()).all());
      EXPECT_TRUE((found.array() <= clip.col(1).array()).all());
      EXPECT_LT((u - found).norm(), 1e-9 * (1 + run.paths.x.row(i).norm()));
      cost += x.dot(system.cost.Q_at(t, s.T) * x) + u.dot(system.cost.R_at(t) * u);
      x = system.plant.A_at(t) * x + system.plant.B_at(t) * u +
          data.w.row(i).segment((t + 1) * s.n_x, s.n_x).transpose();
      if (system.plant.d.size() > 0) x += system.plant.d.col(t);
    }
    cost += x.dot(system.cost.P * x);
    EXPECT_NEAR(run.cost(i), cost, 1e-9 * (1 + cost));
    EXPECT_EQ(run.clipped.row(i).transpose(), count);
  }
  EXPECT_GT(run.clipped.sum(), 0);
}

TEST_P(RandomClip, WithoutLimitsNothingChanges) {
  const Loop loop = random_loop(static_cast<std::uint64_t>(GetParam()), 9);
  Matrix none(loop.clip.rows(), 2);
  none.col(0).setConstant(-INFINITY);
  none.col(1).setConstant(INFINITY);
  const Simulation free = simulate(loop.system, loop.controller, loop.data, true);
  const Simulation run = simulate(loop.system, loop.controller, loop.data, true, 1, none);
  EXPECT_EQ(free.cost, run.cost);
  EXPECT_EQ(free.paths.u, run.paths.u);
  EXPECT_TRUE(run.clipped.isZero(0.0));
  EXPECT_EQ(free.clipped.size(), 0);
}

INSTANTIATE_TEST_SUITE_P(Random, RandomClip, ::testing::Range(1, 31));

TEST(Clip, DoesNotDependOnTheNumberOfThreads) {
  const Loop loop = random_loop(3, 1000);
  SimulationOptions options{.keep_paths = true, .clip = loop.clip};
  const Simulation one = simulate(loop.system, loop.controller, loop.data, options);
  for (const int threads : {2, 3, 4}) {
    options.threads = threads;
    const Simulation more = simulate(loop.system, loop.controller, loop.data, options);
    EXPECT_EQ(one.cost, more.cost);
    EXPECT_EQ(one.clipped, more.clipped);
    EXPECT_EQ(one.paths.u, more.paths.u);
  }
}

// A controller that remembers its inputs remembers what was applied.
TEST(Clip, OfAControllerThatRemembersItsInputs) {
  System system = double_integrator();
  const Sizes s = system.sizes();
  const MemoryController controller{
      2, 1, 2, 3, random_matrix(1, 4, 1), 0.4 * random_matrix(1, 3, 2), Vector::Constant(1, 0.1)};
  const Disturbances data = random_disturbances(s, 70, 5);
  const Matrix clip{{-0.4, 0.3}};
  const Simulation run =
      simulate(system, first_steps(controller, s.T), data,
               {.keep_paths = true, .clip = clip, .replies = replies_to_clipping(controller, s.T)});
  for (Index i = 0; i < data.n(); ++i) {
    MemoryRun live(controller);
    Vector x = data.w.row(i).head(2);
    for (Index t = 0; t < s.T; ++t) {
      const Vector u = live.step(x).cwiseMax(clip(0, 0)).cwiseMin(clip(0, 1));
      live.applied(u);
      EXPECT_NEAR(u(0), run.paths.u(i, t), 1e-10);
      x = system.plant.A_at(t) * x + system.plant.B_at(t) * u +
          data.w.row(i).segment((t + 1) * 2, 2).transpose();
    }
  }
  EXPECT_GT(run.clipped.sum(), 0);
}

Limits limits_of_each_kind(const Sizes& s) {
  Limits limits;
  limits.rows = {
      {"u0", Vector::Zero(s.n_x), Vector::Unit(s.n_u, 0), -0.3, 0.3, 0, s.T - 1},
      {"scaled", Vector::Zero(s.n_x), -0.7 * Vector::Unit(s.n_u, 0), -0.28, 0.35, 0, s.T - 1},
      {"x1", Vector::Unit(s.n_x, 1), Vector::Zero(s.n_u), -INFINITY, 0.5, 1, s.T},
      {"both", Vector::Ones(s.n_x), Vector::Ones(s.n_u), -1, INFINITY, 2, 4}};
  return limits;
}

TEST(Violations, AreCountedRowByRow) {
  const System system = double_integrator();
  const Sizes s = system.sizes();
  const ResponseSpace space = make_response_space(system, {});
  const Controller controller = recover_controller(
      response_at(system, space.coordinates, random_coordinates(space.coordinates.pattern, 4)), s);
  const Disturbances data = random_disturbances(s, 200, 6);
  const Limits limits = limits_of_each_kind(s);
  SimulationOptions options{.keep_paths = true, .limits = &limits};
  const Simulation run = simulate(system, controller, data, options);
  Index episodes = 0;
  for (Index i = 0; i < data.n(); ++i) {
    bool any = false;
    for (size_t r = 0; r < limits.rows.size(); ++r) {
      const LimitRow& row = limits.rows[r];
      double count = 0;
      for (Index t = row.first; t <= row.last; ++t) {
        double value = run.paths.x.row(i).segment(t * s.n_x, s.n_x).dot(row.x);
        if (t < s.T) value += run.paths.u.row(i).segment(t * s.n_u, s.n_u).dot(row.u);
        count += value < row.low || value > row.high;
      }
      EXPECT_EQ(run.violated(i, static_cast<Index>(r)), count);
      any = any || count > 0;
    }
    episodes += any;
  }
  EXPECT_DOUBLE_EQ(share_of_episodes(run.violated), static_cast<double>(episodes) / 200);
  const nlohmann::json tree = violations_to_json(limits, run);
  EXPECT_EQ(tree["rows"].size(), 4U);
  EXPECT_EQ(tree["rows"][2]["name"], "x1");
  EXPECT_DOUBLE_EQ(tree["rows"][2]["share"],
                   (run.violated.col(2).array() > 0).cast<double>().mean());

  // What is clipped to a limit does not violate it, in any units.
  options.clip = clip_of(limits, controller);
  EXPECT_DOUBLE_EQ(options.clip(0, 0), -0.3);
  EXPECT_DOUBLE_EQ(options.clip(0, 1), 0.3);
  for (const double scale : {1.0, 0.1, 7.3e-5, 1.9e7}) {
    Limits scaled = limits;
    scaled.rows.resize(2);
    for (LimitRow& row : scaled.rows) {
      row.u *= scale;
      row.low *= scale;
      row.high *= scale;
    }
    options.limits = &scaled;
    options.clip = clip_of(scaled, controller);
    const Simulation clipped = simulate(system, controller, data, options);
    EXPECT_TRUE(clipped.violated.isZero(0.0));
    EXPECT_GT(clipped.clipped.sum(), 0);
  }
}

TEST(Violations, NaNViolates) {
  System system = double_integrator();
  Controller controller;
  controller.sizes = system.sizes();
  controller.K = Matrix::Constant(10, 22, 1e200);
  controller.k = Vector::Zero(10);
  const Limits limits = limits_of_each_kind(system.sizes());
  const Simulation run = simulate(system, controller, random_disturbances(system.sizes(), 3, 1),
                                  {.keep_paths = true, .limits = &limits});
  ASSERT_TRUE(run.paths.x.array().isNaN().any());
  EXPECT_EQ(share_of_episodes(run.violated), 1);
}

TEST(ClipOf, ProblemThenControllerThenNobody) {
  Controller controller;
  controller.sizes = state_feedback(2, 1, 10);
  EXPECT_TRUE(contains(input_error([&] { clip_of(std::nullopt, controller); }),
                       "clip: found no limits on inputs"));
  controller.input_limits = Matrix{{-1.0, 2.0}};
  EXPECT_EQ(clip_of(std::nullopt, controller), controller.input_limits);
  Limits limits = limits_of_each_kind(controller.sizes);
  EXPECT_EQ(clip_of(limits, controller)(0, 1), 0.3);
  limits.rows.erase(limits.rows.begin(), limits.rows.begin() + 2);  // states, and both together
  EXPECT_EQ(clip_of(limits, controller), controller.input_limits);
}

TEST(Clip, RefusesLimitsOfOtherSizes) {
  const Loop loop = random_loop(1, 9);
  EXPECT_THROW(simulate(loop.system, loop.controller, loop.data, false, 1, Matrix::Ones(9, 2)),
               InputError);
}

}  // namespace
}  // namespace loopcert::testing
