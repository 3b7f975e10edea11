#include "loopcert/data/disturbances.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "input_error.hpp"
#include "random_system.hpp"

namespace loopcert {
namespace {

using testing::contains;
using testing::input_error;

// The definition of the plant, step by step, one episode at a time.
Rollouts simulate_by_loops(const Plant& plant, const Matrix& w, const Matrix& u) {
  const Sizes s = plant.sizes();
  Rollouts rollouts{Matrix::Zero(w.rows(), s.d_w()), u};
  for (Index i = 0; i < w.rows(); ++i) {
    for (Index k = 0; k < s.n_x; ++k) rollouts.x(i, k) = w(i, k);
    for (Index t = 0; t < s.T; ++t) {
      for (Index k = 0; k < s.n_x; ++k) {
        double next = w(i, (t + 1) * s.n_x + k);
        for (Index l = 0; l < s.n_x; ++l)
          next += plant.A_at(t)(k, l) * rollouts.x(i, t * s.n_x + l);
        for (Index l = 0; l < s.n_u; ++l) next += plant.B_at(t)(k, l) * u(i, t * s.n_u + l);
        if (plant.d.size() > 0) next += plant.d(k, t);
        rollouts.x(i, (t + 1) * s.n_x + k) = next;
      }
    }
  }
  return rollouts;
}

TEST(Reconstruct, ReturnsTheDisturbancesThatMadeTheRollouts) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    testing::Shape shape = testing::random_shape(seed);
    shape.offset = seed % 2 == 0;
    shape.time_varying = seed % 3 == 0;
    const Plant plant = testing::random_system(shape, seed).plant;
    const Sizes s = plant.sizes();
    const Matrix w = testing::random_matrix(7, s.d_w(), seed + 100);
    const Matrix u = testing::random_matrix(7, s.d_u(), seed + 200);
    const Rollouts rollouts = simulate_by_loops(plant, w, u);
    const Disturbances data = reconstruct_disturbances(plant, rollouts);
    const double scale = 1 + rollouts.x.cwiseAbs().maxCoeff();
    EXPECT_LT((data.w - w).cwiseAbs().maxCoeff(), 1e-13 * scale) << testing::shape_text(shape);
  }
}

// One order of operations, whatever the company: ((x_{t+1} - A x_t) - B u_t) - d, sums from the
// left.
TEST(Reconstruct, GivesEachEpisodeItsOwnBits) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    testing::Shape shape{.n_x = 1 + static_cast<Index>(seed) % 5, .n_u = 2, .T = 5, .offset = true};
    shape.time_varying = seed % 2 == 0;
    const Plant plant = testing::random_system(shape, seed).plant;
    const Sizes s = plant.sizes();
    const Rollouts logs{testing::random_matrix(101, s.d_w(), seed) * 1e3,
                        testing::random_matrix(101, s.d_u(), seed + 9)};
    const Disturbances all = reconstruct_disturbances(plant, logs);
    for (const Index i : {0, 3, 57, 99, 100}) {
      const Disturbances one = reconstruct_disturbances(plant, {logs.x.row(i), logs.u.row(i)});
      EXPECT_EQ(one.w, all.w.row(i)) << i;
      EXPECT_EQ(select_rows(all, {i}).logs.x, logs.x.row(i));
      for (Index t = 0; t < s.T; ++t)
        for (Index k = 0; k < s.n_x; ++k) {
          volatile double drift = 0, push = 0, term = 0;  // volatile: nothing is fused
          for (Index j = 0; j < s.n_x; ++j) {
            term = plant.A_at(t)(k, j) * logs.x(i, t * s.n_x + j);
            drift = drift + term;
          }
          for (Index j = 0; j < s.n_u; ++j) {
            term = plant.B_at(t)(k, j) * logs.u(i, t * s.n_u + j);
            push = push + term;
          }
          term = logs.x(i, (t + 1) * s.n_x + k) - drift;
          term = term - push;
          term = term - plant.d(k, t);
          EXPECT_EQ(one.w(0, (t + 1) * s.n_x + k), term);
        }
    }
  }
}

TEST(Reconstruct, RefusesWrongLogs) {
  const Plant plant = testing::double_integrator().plant;
  const Rollouts good{Matrix::Zero(3, 22), Matrix::Zero(3, 10)};
  EXPECT_EQ(input_error([&] { reconstruct_disturbances(plant, good); }), "");

  const auto message = [&](const Matrix& x, const Matrix& u) {
    return input_error([&] { reconstruct_disturbances(plant, {x, u}); });
  };
  EXPECT_TRUE(contains(message(Matrix::Zero(3, 20), good.u), "x: found 20 columns, expected 22"));
  EXPECT_TRUE(contains(message(good.x, Matrix::Zero(3, 11)), "u: found 11 columns, expected 10"));
  EXPECT_TRUE(contains(message(good.x, Matrix::Zero(4, 10)), "u: found 4 rows, expected 3"));
  EXPECT_TRUE(contains(message(good.x.transpose(), good.u), "looks transposed"));
  EXPECT_TRUE(contains(message(Matrix::Zero(0, 22), Matrix::Zero(0, 10)), "x rows: found 0"));

  Matrix x = good.x;
  x(1, 4) = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(contains(message(x, good.u), "x[1][4]: found inf"));
  // Finite logs whose difference is not.
  x.setZero();
  x(2, 2) = 1.7e308;
  x(2, 0) = -1.7e308;
  EXPECT_TRUE(contains(message(x, good.u), "disturbances[2][2]: found inf"));
}

TEST(CheckDisturbances, NamesWhatIsWrong) {
  const Sizes sizes = state_feedback(2, 1, 10);
  const auto message = [&](const Matrix& w) {
    return input_error([&] { check_disturbances({w}, sizes); });
  };
  EXPECT_EQ(message(Matrix::Zero(1, 22)), "");
  EXPECT_TRUE(contains(message(Matrix::Zero(0, 22)), "rows: found 0, expected at least 1"));
  EXPECT_TRUE(contains(message(Matrix::Zero(5, 21)), "found 21 columns, expected 22 = d_w"));
  EXPECT_TRUE(contains(message(Matrix::Zero(22, 5)), "looks transposed"));
  EXPECT_FALSE(contains(message(Matrix::Zero(21, 5)), "looks transposed"));
  Matrix w = Matrix::Zero(5, 22);
  w(3, 21) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(contains(message(w), "[3][21]: found nan, expected a finite number"));
}

TEST(SelectRows, TakesRowsInTheOrderNamed) {
  const Disturbances data{testing::random_matrix(6, 4, 1)};
  const Disturbances taken = select_rows(data, {5, 0, 0, 3});
  ASSERT_EQ(taken.n(), 4);
  for (const auto& [to, from] : {std::pair{0, 5}, {1, 0}, {2, 0}, {3, 3}})
    EXPECT_EQ(taken.w.row(to), data.w.row(from));
  EXPECT_EQ(select_rows(data, {}).n(), 0);
  EXPECT_TRUE(contains(input_error([&] { select_rows(data, {6}); }), "found 6, expected 0 to 5"));
  EXPECT_TRUE(contains(input_error([&] { select_rows(data, {-1}); }), "found -1"));
}

}  // namespace
}  // namespace loopcert
