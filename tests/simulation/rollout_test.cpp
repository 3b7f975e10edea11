#include "loopcert/simulation/rollout.hpp"

#include <gtest/gtest.h>

#include "chance.hpp"
#include "controller/closed_loop.hpp"
#include "data/moments.hpp"
#include "learning/minimizers.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/data/law.hpp"
#include "random_system.hpp"
#include "response/lqr.hpp"
#include "response/space.hpp"
#include "risk/risk.hpp"
#include "seed.hpp"

namespace loopcert::testing {
namespace {

class RandomRollout : public ::testing::TestWithParam<int> {};

// The rollout of the recovered controller is M(Z) w + m(Z): states, inputs and cost.
TEST_P(RandomRollout, EqualsTheWeightedResponse) {
  const auto seed = static_cast<std::uint64_t>(GetParam());
  const Shape shape = random_shape(seed);
  SCOPED_TRACE(shape_text(shape));
  const System system = random_system(shape, seed);
  const ResponseSpace space = make_response_space(system, {.affine = (seed % 2) == 0});
  const Response r =
      response_at(system, space.coordinates, random_coordinates(space.coordinates.pattern, seed));
  const Controller controller = recover_controller(r, system.sizes());
  const Disturbances data = random_disturbances(system.sizes(), 7, seed);
  const Simulation run = simulate(system, controller, data, true);
  const auto y = weighted_response(system.cost, system.sizes(), r);
  for (Index i = 0; i < data.n(); ++i) {
    const Vector w = data.w.row(i);
    const Vector x = r.Phi_x * w + r.phi_x;
    const Vector u = r.Phi_u * w + r.phi_u;
    EXPECT_LT((run.paths.x.row(i).transpose() - x).norm(), 1e-9 * (1 + x.norm()));
    EXPECT_LT((run.paths.u.row(i).transpose() - u).norm(), 1e-9 * (1 + u.norm()));
    const double cost = (y.M * w + y.m).squaredNorm();
    EXPECT_NEAR(run.cost(i), cost, 1e-9 * (1 + cost));
  }
}

// The same through ControllerRun, one state at a time, and back to w by reconstruction.
TEST_P(RandomRollout, EqualsStepByStepExecutionAndReconstructs) {
  const auto seed = static_cast<std::uint64_t>(GetParam());
  const Shape shape = random_shape(seed);
  const System system = random_system(shape, seed);
  const ResponseSpace space = make_response_space(system, {.affine = true});
  const Response r =
      response_at(system, space.coordinates, random_coordinates(space.coordinates.pattern, seed));
  const Controller controller = recover_controller(r, system.sizes());
  const Disturbances data = random_disturbances(system.sizes(), 3, seed);
  const Simulation run = simulate(system, controller, data, true);
  for (Index i = 0; i < data.n(); ++i) {
    ControllerRun live(controller);
    Vector x = data.w.row(i).head(shape.n_x);
    for (Index t = 0; t < shape.T; ++t) {
      const Vector u = live.step(x);
      EXPECT_LT((u.transpose() - run.paths.u.row(i).segment(t * shape.n_u, shape.n_u)).norm(),
                1e-9 * (1 + u.norm()));
      x = system.plant.A_at(t) * x + system.plant.B_at(t) * u +
          data.w.row(i).segment((t + 1) * shape.n_x, shape.n_x).transpose();
      if (shape.offset) x += system.plant.d.col(t);
    }
  }
  const Disturbances back = reconstruct_disturbances(system.plant, run.paths);
  EXPECT_LT((back.w - data.w).norm(), 1e-9 * (1 + run.paths.x.norm()));
}

INSTANTIATE_TEST_SUITE_P(Random, RandomRollout, ::testing::Range(1, 31));

// Monte Carlo against the trace formula.
TEST(Simulation, MeanCostIsThePopulationRisk) {
  const System system = double_integrator();
  const Law law{Vector::Constant(22, 0.1), ar1_covariance(system.sizes(), 0.8, 0.1)};
  const Response r = lqr_response(system);
  const Controller controller = recover_controller(r, system.sizes());
  const Disturbances data = sample_disturbances(law, test_stream(5, 0), 20000);
  const CostStatistics s = cost_statistics(simulate(system, controller, data, false).cost);
  EXPECT_NEAR(s.mean, response_risk(system, r, law_moments(law)), sigmas * s.standard_error);
  EXPECT_LT(s.standard_error, 0.05);
}

TEST(Simulation, DoesNotDependOnTheNumberOfThreads) {
  const System system = double_integrator();
  const Controller controller = recover_controller(lqr_response(system), system.sizes());
  const Disturbances data = random_disturbances(system.sizes(), 1000, 3);
  const Simulation one = simulate(system, controller, data, true, 1);
  for (const int threads : {2, 3, 4}) {
    const Simulation more = simulate(system, controller, data, true, threads);
    EXPECT_EQ(one.cost, more.cost);
    EXPECT_EQ(one.paths.x, more.paths.x);
  }
}

TEST(Simulation, RefusesAControllerOfAnotherSize) {
  const System system = double_integrator();
  Controller controller = recover_controller(lqr_response(system), system.sizes());
  controller.K = Matrix::Zero(10, 20);
  EXPECT_THROW(simulate(system, controller, random_disturbances(system.sizes(), 2, 1), false),
               InputError);
}

TEST(CostStatistics, OfAKnownList) {
  const CostStatistics s = cost_statistics(Vector{{1.0, 2.0, 3.0, 10.0}});
  EXPECT_EQ(s.n, 4);
  EXPECT_DOUBLE_EQ(s.mean, 4.0);
  EXPECT_DOUBLE_EQ(s.median, 2.5);
  EXPECT_NEAR(s.standard_deviation, std::sqrt(50.0 / 3), 1e-14);
  EXPECT_NEAR(s.standard_error, std::sqrt(50.0 / 3) / 2, 1e-14);
  EXPECT_EQ(s.minimum, 1);
  EXPECT_EQ(s.maximum, 10);
  EXPECT_EQ(cost_statistics(Vector{{3.0}}).standard_error, 0);
}

}  // namespace
}  // namespace loopcert::testing
