#include "system/riccati.hpp"

#include <gtest/gtest.h>

#include "input_error.hpp"
#include "random_system.hpp"
#include "response/lqr.hpp"

namespace loopcert::testing {
namespace {

// Largest difference of entries, each relative to the diagonal entries beside it: free of units.
double difference(const Matrix& X, const Matrix& Y) {
  double largest = 0;
  for (Index j = 0; j < Y.cols(); ++j)
    for (Index i = 0; i < Y.rows(); ++i)
      largest = std::max(largest, std::abs(X(i, j) - Y(i, j)) / std::sqrt(Y(i, i) * Y(j, j)));
  return largest;
}

System random_stationary(std::uint64_t seed) {
  Shape shape = random_shape(seed);
  shape.time_varying = false;
  shape.singular_Q = false;
  return random_system(shape, seed);
}

class RandomRiccati : public ::testing::TestWithParam<int> {};

// The finite-horizon recursion, run until nothing is left of its start.
TEST_P(RandomRiccati, IsTheLimitOfTheRecursion) {
  System system = random_stationary(static_cast<std::uint64_t>(GetParam()));
  const StationaryLqr found = stationary_lqr(system);
  system.plant.T = 4000;
  system.plant.d.resize(0, 0);
  system.cost.P = system.cost.Q[0];
  const LqrGains gains = lqr_gains(system);
  EXPECT_LT(difference(found.S, gains.V[0]), 1e-8);
  EXPECT_LT((found.K - gains.K[0]).norm(), 1e-8 * (1 + gains.K[0].norm()));
}

// As terminal weight it makes all steps alike.
TEST_P(RandomRiccati, MakesTheLastStepAsGoodAsAny) {
  System system = random_stationary(static_cast<std::uint64_t>(GetParam()));
  const StationaryLqr found = stationary_lqr(system);
  system.cost.P = found.S;
  system.plant.d.resize(0, 0);
  for (const Matrix& K : lqr_gains(system).K)
    EXPECT_LT((K - found.K).norm(), 1e-8 * (1 + found.K.norm()));
}

TEST_P(RandomRiccati, TransformsWithTheUnits) {
  const auto seed = static_cast<std::uint64_t>(GetParam());
  const System system = random_stationary(seed);
  const Sizes s = system.sizes();
  const Vector x = (6 * random_matrix(s.n_x, 1, seed + 7).array()).unaryExpr([](double e) {
    return std::pow(10.0, std::clamp(e, -6.0, 6.0));
  });
  const Vector u = (6 * random_matrix(s.n_u, 1, seed + 8).array()).unaryExpr([](double e) {
    return std::pow(10.0, std::clamp(e, -6.0, 6.0));
  });
  System scaled = system;  // states x_i x, inputs u_i u
  scaled.plant.A[0] = x.asDiagonal() * system.plant.A[0] * x.cwiseInverse().asDiagonal();
  scaled.plant.B[0] = x.asDiagonal() * system.plant.B[0] * u.cwiseInverse().asDiagonal();
  scaled.cost.Q[0] =
      x.cwiseInverse().asDiagonal() * system.cost.Q[0] * x.cwiseInverse().asDiagonal();
  scaled.cost.R[0] =
      u.cwiseInverse().asDiagonal() * system.cost.R[0] * u.cwiseInverse().asDiagonal();
  const Matrix back = x.asDiagonal() * stationary_lqr(scaled).S * x.asDiagonal();
  EXPECT_LT(difference(back, stationary_lqr(system).S), 1e-8);
}

INSTANTIATE_TEST_SUITE_P(Random, RandomRiccati, ::testing::Range(1, 25));

TEST(Riccati, KnowsTheScalarCase) {
  // s = q + a^2 s r / (r + b^2 s): with a = b = q = r = 1 the golden ratio.
  System system;
  system.plant = {3, {Matrix::Ones(1, 1)}, {Matrix::Ones(1, 1)}, {}};
  system.cost = {{Matrix::Ones(1, 1)}, {Matrix::Ones(1, 1)}, Matrix::Ones(1, 1)};
  EXPECT_NEAR(stationary_lqr(system).S(0, 0), (1 + std::sqrt(5.0)) / 2, 1e-14);
}

TEST(Riccati, TakesAStateThatCostsNothing) {
  System system = double_integrator();  // the position drifts and nobody minds
  system.cost.Q[0] = Vector{{0.0, 1.0}}.asDiagonal();
  const StationaryLqr found = stationary_lqr(system);
  EXPECT_NEAR(found.S(0, 0), 0, 1e-12);
  EXPECT_GT(found.S(1, 1), 1);
}

TEST(Riccati, RefusesWhatNoInputHolds) {
  System system = double_integrator();
  system.plant.B[0] << 0.5, 0;  // the speed is out of reach, and the position follows it
  EXPECT_TRUE(
      contains(input_error([&] { stationary_lqr(system); }), "no stationary terminal weight"));
  system.plant.A[0](1, 1) = 1.1;
  EXPECT_TRUE(
      contains(input_error([&] { stationary_lqr(system); }), "no stationary terminal weight"));
  system.plant.A[0](1, 1) = 0.9;  // it dies out by itself
  EXPECT_GT(stationary_lqr(system).S(1, 1), 0);
}

TEST(Riccati, TellsWhatVariesInTime) {
  System system = double_integrator();
  EXPECT_TRUE(is_time_invariant(system));
  system.plant.d = Matrix::Ones(2, system.plant.T);
  EXPECT_TRUE(is_time_invariant(system));
  system.plant.d(0, 3) = 2;
  EXPECT_FALSE(is_time_invariant(system));
  system.plant.d.resize(0, 0);
  system.cost.Q.resize(static_cast<size_t>(system.plant.T), system.cost.Q[0]);
  EXPECT_FALSE(is_time_invariant(system));
}

}  // namespace
}  // namespace loopcert::testing
