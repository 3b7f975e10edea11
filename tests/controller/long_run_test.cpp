#include "controller/long_run.hpp"

#include <gtest/gtest.h>

#include "controller/closed_loop.hpp"
#include "core/eigenvalues.hpp"
#include "input_error.hpp"
#include "random_system.hpp"
#include "response/lqr.hpp"
#include "system/riccati.hpp"

namespace loopcert::testing {
namespace {

// Expected costs of steps first … last - 1 of the extended controller, by its own closed loop over
// all steps: white w, x_0 = 0.
double average_by_response(System system, const Controller& controller, AfterHorizon after,
                           const StepNoise& noise, Index first, Index last) {
  const Sizes s = controller.sizes;
  system.plant.T = last;
  if (system.plant.d.size() > 0) system.plant.d = system.plant.d.col(0).replicate(1, last).eval();
  const Response r = closed_loop_response(system, extend_controller(controller, last, after));
  Vector mean = noise.mean.replicate(last + 1, 1);
  mean.head(s.n_x).setZero();
  double total = 0;
  for (Index t = first; t < last; ++t) {
    const auto add = [&](const MatrixView& rows, const VectorView& offset, const Matrix& weight) {
      const Vector at = rows * mean + offset;
      total += at.dot(weight * at);
      for (Index b = 1; b <= last; ++b) {
        const Matrix part = rows.middleCols(b * s.n_x, s.n_x);
        total += (weight * part * noise.covariance * part.transpose()).trace();
      }
    };
    add(r.Phi_x.middleRows(t * s.n_x, s.n_x), r.phi_x.segment(t * s.n_x, s.n_x), system.cost.Q[0]);
    add(r.Phi_u.middleRows(t * s.n_u, s.n_u), r.phi_u.segment(t * s.n_u, s.n_u), system.cost.R[0]);
  }
  return total / static_cast<double>(last - first);
}

System stable_system(std::uint64_t seed) {
  Shape shape = random_shape(seed);
  shape.time_varying = shape.singular_Q = false;
  shape.growth = std::min(shape.growth, 0.8);
  shape.T = 4;
  System system = random_system(shape, seed);
  if (system.plant.d.size() > 0)
    system.plant.d = system.plant.d.col(0).replicate(1, shape.T).eval();
  return system;
}

// LQR with a little memory of earlier states.
Controller controller_of(const System& system, std::uint64_t seed) {
  const Sizes s = system.sizes();
  Controller controller = recover_controller(lqr_response(system), s);
  const Matrix more = 0.02 * random_matrix(s.d_u(), s.d_w(), seed + 3);
  for (Index t = 0; t < s.T; ++t)
    controller.K.block(t * s.n_u, 0, s.n_u, (t + 1) * s.n_x) +=
        more.block(t * s.n_u, 0, s.n_u, (t + 1) * s.n_x);
  controller.k += 0.1 * random_matrix(s.d_u(), 1, seed + 4);
  return controller;
}

StepNoise random_noise(const Sizes& s, std::uint64_t seed) {
  const Matrix F = random_matrix(s.n_x, s.n_x, seed + 5);
  return {random_matrix(s.n_x, 1, seed + 6), F * F.transpose()};
}

class RandomLongRun : public ::testing::TestWithParam<int> {};

TEST_P(RandomLongRun, IsTheAverageOfALongLoop) {
  const auto seed = static_cast<std::uint64_t>(GetParam());
  const System system = stable_system(seed);
  const Sizes s = system.sizes();
  const Controller controller = controller_of(system, seed);
  const StepNoise noise = random_noise(s, seed);
  for (const AfterHorizon after : {AfterHorizon::hold, AfterHorizon::restart}) {
    const LongRun run = long_run(system, controller, after, noise);
    if (run.spectral_radius > 0.9) continue;  // would need a longer loop
    ASSERT_TRUE(run.cost);
    const Index first = 60 * s.T;  // 0.9^480 of the start is left
    const double expected =
        average_by_response(system, controller, after, noise, first, first + s.T);
    EXPECT_NEAR(*run.cost, expected, 1e-8 * expected);
    ASSERT_TRUE(run.optimal_cost);
    EXPECT_LE(*run.optimal_cost, *run.cost * (1 + 1e-12));
  }
}

INSTANTIATE_TEST_SUITE_P(Random, RandomLongRun, ::testing::Range(1, 13));

// With the stationary weight the last step is as good as any, and holding it is the optimum.
TEST(LongRun, RiccatiWeightMakesHoldingOptimal) {
  System system = double_integrator();
  system.cost.P.setZero();  // the last input is zero
  const StepNoise noise = unit_noise(system.sizes());
  const auto lqr = [&] { return recover_controller(lqr_response(system), system.sizes()); };
  const LongRun before = long_run(system, lqr(), AfterHorizon::hold, noise);
  system.cost.P = stationary_lqr(system).S;
  const LongRun after = long_run(system, lqr(), AfterHorizon::hold, noise);
  EXPECT_NEAR(*after.cost, *after.optimal_cost, 1e-9 * *after.cost);
  EXPECT_FALSE(after.is_bad());
  EXPECT_TRUE(before.is_bad());
  EXPECT_DOUBLE_EQ(*before.optimal_cost, *after.optimal_cost);
}

TEST(LongRun, SeesAnUnstableLoop) {
  const System system = double_integrator();
  Controller idle = recover_controller(lqr_response(system), system.sizes());
  idle.K.setZero();
  for (const AfterHorizon after : {AfterHorizon::hold, AfterHorizon::restart}) {
    const LongRun run = long_run(system, idle, after, unit_noise(system.sizes()));
    EXPECT_NEAR(run.spectral_radius, 1, 1e-6);  // a double eigenvalue: half of the digits
    EXPECT_FALSE(run.cost);
    EXPECT_TRUE(run.is_bad());
  }
}

// An offset that a constant input can meet costs what the steady state costs.
TEST(LongRun, CountsAConstantPush) {
  System system;
  system.plant = {2, {Matrix{{0.5}}}, {Matrix{{1.0}}}, Matrix::Constant(1, 2, 1.0)};
  system.cost = {{Matrix{{2.0}}}, {Matrix{{1.0}}}, Matrix{{2.0}}};
  const StepNoise quiet{Vector::Zero(1), Matrix::Zero(1, 1)};
  const Controller controller{
      state_feedback(1, 1, 2), Matrix::Zero(2, 3), Vector::Constant(2, -0.2), {}, {}};
  // x = 0.5 x - 0.2 + 1 = 1.6: 2 * 1.6^2 + 0.2^2; the best constant input minimizes
  // 2 (2 (1 + u))^2 + u^2 at u = -8/9: 2 (2/9)^2 + (8/9)^2.
  const LongRun run = long_run(system, controller, AfterHorizon::hold, quiet);
  EXPECT_NEAR(*run.cost, 2 * 1.6 * 1.6 + 0.04, 1e-12);
  EXPECT_NEAR(*run.optimal_cost, (8.0 + 64.0) / 81, 1e-12);
}

// So many states that no matrix of them is looked at: z^(m+1) = 0.4 z^m + 0.001 with m = 899.
TEST(LongRun, LooksFarBack) {
  constexpr Index T = 900;
  System system;
  system.plant = {T, {Matrix{{0.9}}}, {Matrix{{1.0}}}, {}};
  system.cost = {{Matrix{{1.0}}}, {Matrix{{1.0}}}, Matrix{{1.0}}};
  Controller controller{state_feedback(1, 1, T), Matrix::Zero(T, T + 1), Vector::Zero(T), {}, {}};
  controller.K(T - 1, T - 1) = -0.5;
  controller.K(T - 1, 0) = 0.001;
  const LongRun run =
      long_run(system, controller, AfterHorizon::hold, unit_noise(state_feedback(1, 1, T)));
  // |z|^m = 0.001 / |z - 0.4|, and |z - 0.4| lies between 0.6 and 1.4.
  EXPECT_GT(run.spectral_radius, std::pow(0.001 / 1.4, 1.0 / 899) - 1e-3);
  EXPECT_LT(run.spectral_radius, std::pow(0.001 / 0.5, 1.0 / 899) + 1e-3);
  // Without the far state x has variance 1 / (1 - 0.4^2) and u = -0.5 x.
  EXPECT_NEAR(run.cost.value(), 1.25 / (1 - 0.16), 1e-4);
}

TEST(LongRun, SolvesTheLyapunovEquation) {
  const Matrix F = 0.4 * random_matrix(5, 5, 1) / spectral_radius(random_matrix(5, 5, 1));
  const Matrix G = random_matrix(5, 5, 2), W = G * G.transpose();
  const Matrix X = solve_lyapunov(F, W);
  EXPECT_LT((F * X * F.transpose() + W - X).norm(), 1e-13 * X.norm());
}

TEST(LongRun, RefusesWhatVariesInTime) {
  System system = double_integrator();
  system.cost.R.resize(static_cast<size_t>(system.plant.T), system.cost.R[0]);
  const Controller controller = recover_controller(lqr_response(system), system.sizes());
  EXPECT_TRUE(contains(input_error([&] {
                         long_run(system, controller, AfterHorizon::hold,
                                  unit_noise(system.sizes()));
                       }),
                       "varies in time"));
}

}  // namespace
}  // namespace loopcert::testing
