#include "system/doubts.hpp"

#include <gtest/gtest.h>

#include <unsupported/Eigen/MatrixFunctions>

#include "input_error.hpp"
#include "random_system.hpp"

namespace loopcert::testing {
namespace {

Plant plant_of(const Matrix& A, Index T = 20) { return {T, {A}, {Matrix::Ones(A.rows(), 1)}, {}}; }

// Continuous-time plants as people write them down.
std::vector<Matrix> continuous_plants() {
  std::vector<Matrix> plants(4);
  plants[0] = Matrix{{0, 1}, {0, 0}};               // a mass
  plants[1] = Matrix{{0, 1}, {-4, -0.3}};           // an oscillator
  plants[2] = Matrix{{-0.1, 0.05}, {0.02, -0.08}};  // two rooms
  plants[3] = Matrix{{0, 1, 0, 0},                  // two masses and a spring
                     {-2000, -3, 2000, 3},
                     {0, 0, 0, 1},
                     {1000, 1.5, -1000, -1.5}};
  return plants;
}

TEST(Doubts, NameContinuousTime) {
  for (const Matrix& A : continuous_plants()) {
    EXPECT_TRUE(contains(continuous_time_doubt(plant_of(A)), "likely")) << A;
    EXPECT_TRUE(contains(continuous_time_doubt(plant_of(A)), "discretize")) << A;
  }
}

TEST(Doubts, AreSilentAboutSampledPlants) {
  for (const Matrix& A : continuous_plants()) {
    const Matrix sampled = (0.01 * A).exp();
    EXPECT_EQ(likely_mistake(plant_of(sampled)), "") << sampled;
  }
  EXPECT_EQ(likely_mistake(double_integrator().plant), "");
  EXPECT_EQ(likely_mistake(plant_of(Matrix{{-0.5}})), "");  // one state may well alternate
  EXPECT_EQ(likely_mistake(plant_of(Matrix{{1.2, 0}, {0, 0.5}})), "");
}

TEST(Doubts, DoNotDependOnUnits) {
  for (Matrix A : continuous_plants()) {
    const Vector x =
        Vector::LinSpaced(A.rows(), -6, 6).unaryExpr([](double e) { return std::pow(10.0, e); });
    A = (x.asDiagonal() * A * x.cwiseInverse().asDiagonal()).eval();
    EXPECT_NE(continuous_time_doubt(plant_of(A)), "") << A;
  }
}

TEST(Doubts, SayHowAnUnstablePlantGrows) {
  const std::string said = likely_mistake(plant_of(Matrix{{1.5, 0}, {0, 0.5}}, 200));
  EXPECT_TRUE(contains(said, "eigenvalue of size 1.5, so over 200 steps")) << said;
  EXPECT_TRUE(contains(said, "10^35")) << said;
}

TEST(Doubts, StandBehindAFailure) {
  const Plant wrong = plant_of(continuous_plants()[3]);
  const auto fail = [] { throw NumericsError("it broke"); };
  try {
    with_likely_mistake(wrong, fail);
    FAIL();
  } catch (const NumericsError& error) {
    EXPECT_TRUE(contains(error.what(), "it broke; A has the eigenvalue"));
  }
  try {
    with_likely_mistake(double_integrator().plant, fail);
    FAIL();
  } catch (const NumericsError& error) {
    EXPECT_STREQ(error.what(), "it broke");
  }
}

}  // namespace
}  // namespace loopcert::testing
