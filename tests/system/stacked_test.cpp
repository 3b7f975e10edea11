#include "system/stacked.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "loopcert/core/error.hpp"
#include "loopcert/system/cost.hpp"
#include "random_system.hpp"

namespace loopcert::testing {
namespace {

class RandomStacked : public ::testing::TestWithParam<int> {};

// F = (I - Z_A)^-1 and S_x = F Z_B by a dense inverse.
TEST_P(RandomStacked, EqualsTheDenseInverse) {
  const auto seed = static_cast<std::uint64_t>(GetParam());
  const Shape shape = random_shape(seed);
  SCOPED_TRACE(shape_text(shape));
  const Plant plant = random_system(shape, seed).plant;
  const Sizes s = plant.sizes();
  const Matrix I = Matrix::Identity(s.d_w(), s.d_w());
  const Matrix Z_A = apply_Z_A(plant, I);
  const Matrix Z_B = apply_Z_B(plant, Matrix::Identity(s.d_u(), s.d_u()));
  const Matrix F = (I - Z_A).inverse();
  const PlantOperator op = plant_operator(plant);
  const Matrix S_x = F * Z_B;
  EXPECT_LT((op.F(I) - F).norm(), 1e-11 * F.norm());
  EXPECT_LT((op.G(Matrix::Identity(s.d_u(), s.d_u())) - S_x).norm(), 1e-11 * (1 + S_x.norm()));
  const Matrix X = random_matrix(s.d_w(), 3, seed);
  const Matrix U = random_matrix(s.d_u(), 3, seed);
  EXPECT_LT((op.signals(X, U) - F * X - S_x * U).norm(),
            1e-11 * (F.norm() * X.norm() + (1 + S_x.norm()) * U.norm()));
}

// x = F (w + d) + S_x u against the plant's own recursion.
TEST_P(RandomStacked, IsTheTrajectoryOfThePlant) {
  const auto seed = static_cast<std::uint64_t>(GetParam());
  const Shape shape = random_shape(seed);
  const Plant plant = random_system(shape, seed).plant;
  const Sizes s = plant.sizes();
  const Vector w = random_matrix(s.d_w(), 1, seed + 1);
  const Vector u = random_matrix(s.d_u(), 1, seed + 2);
  const PlantOperator op = plant_operator(plant);
  EXPECT_EQ(op.has_offset(), shape.offset);
  const Vector x = op.signals(w + op.d, u);
  Vector state = w.head(s.n_x);
  for (Index t = 0; t < s.T; ++t) {
    state = plant.A_at(t) * state + plant.B_at(t) * u.segment(t * s.n_u, s.n_u) +
            w.segment((t + 1) * s.n_x, s.n_x);
    if (shape.offset) state += plant.d.col(t);
    EXPECT_LT((x.segment((t + 1) * s.n_x, s.n_x) - state).norm(), 1e-11 * (1 + x.norm()));
  }
}

TEST_P(RandomStacked, WeightsEqualTheirRoots) {
  const auto seed = static_cast<std::uint64_t>(GetParam());
  const System system = random_system(random_shape(seed), seed);
  const Sizes s = system.sizes();
  const Matrix X = random_matrix(s.d_w(), 2, seed);
  const Matrix U = random_matrix(s.d_u(), 2, seed);
  const Matrix rQ = apply_sqrt_Q(system.cost, s, X), rR = apply_sqrt_R(system.cost, s, U);
  EXPECT_LT((rQ.transpose() * rQ - X.transpose() * apply_Q(system.cost, s, X)).norm(),
            1e-10 * (1 + rQ.squaredNorm()));
  EXPECT_LT((rR.transpose() * rR - U.transpose() * apply_R(system.cost, s, U)).norm(),
            1e-10 * (1 + rR.squaredNorm()));
}

INSTANTIATE_TEST_SUITE_P(Random, RandomStacked, ::testing::Range(1, 25));

TEST(CheckSystem, NamesTheFirstWrongThing) {
  const auto expect_message = [](const System& system, const std::string& fragment) {
    try {
      check_system(system);
      ADD_FAILURE() << "accepted, expected: " << fragment;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(fragment), std::string::npos) << error.what();
    }
  };
  check_system(double_integrator());
  System s = double_integrator();
  s.plant.T = 0;
  expect_message(s, "horizon: found 0, expected at least 1");
  s = double_integrator();
  s.plant.A = {Matrix::Zero(2, 3)};
  expect_message(s, "system.A: found 2 x 3");
  s = double_integrator();
  s.plant.B.push_back(s.plant.B[0]);
  expect_message(s, "system.B: found 2 matrices, expected 1 or 10");
  s = double_integrator();
  s.plant.d = Matrix::Zero(3, 10);
  expect_message(s, "system.d");
  s = double_integrator();
  s.cost.R = {Matrix{{0.0}}};
  expect_message(s, "cost.R");
  s = double_integrator();
  s.cost.Q = {Matrix{{1, 0}, {1, 1}}};
  expect_message(s, "cost.Q[1][0]");
  s = double_integrator();
  s.cost.P = -s.cost.P;
  expect_message(s, "cost.P");
}

}  // namespace
}  // namespace loopcert::testing
