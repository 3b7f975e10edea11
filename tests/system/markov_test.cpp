// Sampled plants and Markov parameters against other computations of the same: integration in small
// steps, simulation step by step, powers.
#include "system/markov.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "loopcert/core/error.hpp"
#include "random_system.hpp"

namespace loopcert::testing {
namespace {

// x' = A x + B u(t - dead_time), u held between samples, by Runge-Kutta in `parts` parts a step;
// the input that acts changes inside a step.
Matrix integrated(const Matrix& A, const Matrix& B, const Matrix& C, double dt, double dead_time,
                  const Matrix& U, Index parts) {
  const Index T = U.cols();
  Vector x = Vector::Zero(A.rows());
  Matrix Y(C.rows(), T);
  const auto input = [&](double time) -> Vector {
    const auto k = static_cast<Index>(std::floor((time - dead_time) / dt + 1e-9));
    return k < 0 ? Vector::Zero(B.cols()) : Vector(U.col(std::min(k, T - 1)));
  };
  const double h = dt / static_cast<double>(parts);
  for (Index t = 0; t < T; ++t) {
    for (Index p = 0; p < parts; ++p) {
      const double now = static_cast<double>(t) * dt + (static_cast<double>(p) + 0.5) * h;
      const Vector Bu = B * input(now);
      const Vector k1 = A * x + Bu, k2 = A * (x + h / 2 * k1) + Bu, k3 = A * (x + h / 2 * k2) + Bu,
                   k4 = A * (x + h * k3) + Bu;
      x += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    Y.col(t) = C * x;
  }
  return Y;
}

class RandomSampled : public ::testing::TestWithParam<int> {};

TEST_P(RandomSampled, FollowsTheDifferentialEquation) {
  const auto seed = static_cast<std::uint64_t>(GetParam());
  const Index n = 1 + GetParam() % 4, n_u = 1 + GetParam() % 2, T = 7;
  const double dt = 0.4;
  const Matrix A = random_matrix(n, n, seed), B = random_matrix(n, n_u, seed + 1),
               C = random_matrix(2, n, seed + 2), U = random_matrix(n_u, T, seed + 3);
  for (const double dead_time : {0.0, 0.1, 0.4, 0.95}) {
    const Matrix G = operator_of(markov_of(sample_held(A, B, dt, dead_time), C, T), T);
    const Vector y = G * U.reshaped();
    const Matrix Y = integrated(A, B, C, dt, dead_time, U, 80);
    EXPECT_LT((y.tail(2 * T) - Y.reshaped()).norm(), 1e-6 * (1 + Y.norm())) << dead_time;
  }
}

// exp(A) exp(-A) = I, and exp(A + A) = exp(A)^2.
TEST_P(RandomSampled, ExponentialsMultiply) {
  const auto seed = static_cast<std::uint64_t>(GetParam());
  const Matrix A = 3 * random_matrix(4, 4, seed);
  const Matrix E = plain_exponential(A), inverse = plain_exponential(-A);
  const Matrix I = Matrix::Identity(4, 4);
  EXPECT_LT((E * inverse - I).norm(), 1e-13 * E.norm() * inverse.norm());
  EXPECT_LT((plain_exponential(2 * A) - E * E).norm(), 1e-13 * E.squaredNorm());
}

INSTANTIATE_TEST_SUITE_P(Random, RandomSampled, ::testing::Range(1, 9));

TEST(Exponential, KnowsTheScalarOne) {
  for (const double a : {0.0, 1e-9, -0.3, 1.0, -20.0, 30.0}) {
    const double e = plain_exponential(Matrix::Constant(1, 1, a))(0, 0);
    EXPECT_NEAR(e, std::exp(a), 2e-15 * std::max(1.0, std::exp(a) * (1 + std::abs(a)))) << a;
  }
  EXPECT_THROW(sample_held(Matrix::Constant(1, 1, 1e4), Matrix::Ones(1, 1), 1, 0), InputError);
}

// The plant x+ = A_t x + B_t u_{t-delay}, y = C_t x, step by step.
TEST(Operator, IsTheTrajectoryOfAVaryingPlant) {
  const Index T = 6, n = 3, n_u = 2, n_y = 2;
  std::vector<Matrix> A, B, C;
  for (std::uint64_t t = 0; t < 6; ++t) {
    A.push_back(random_matrix(n, n, 10 + t));
    B.push_back(random_matrix(n, n_u, 20 + t));
  }
  for (std::uint64_t t = 0; t < 7; ++t) C.push_back(random_matrix(n_y, n, 30 + t));
  const Matrix U = random_matrix(n_u, T, 40);
  for (const Index delay : {0, 1, 3, 6}) {
    const Vector y = operator_of(A, B, C, delay, T) * U.reshaped();
    Vector x = Vector::Zero(n);
    for (Index t = 0; t <= T; ++t) {
      EXPECT_LT((y.segment(t * n_y, n_y) - C[static_cast<size_t>(t)] * x).norm(), 1e-11);
      if (t == T) break;
      x = A[static_cast<size_t>(t)] * x;
      if (t >= delay) x += B[static_cast<size_t>(t)] * U.col(t - delay);
    }
  }
}

// One that does not vary, by its first column alone.
TEST(Operator, RepeatsItself) {
  const Index T = 5;
  const Matrix A = random_matrix(2, 2, 1), B = random_matrix(2, 1, 2), C = random_matrix(1, 2, 3);
  const std::vector<Matrix> varying(static_cast<size_t>(T), A);
  EXPECT_LT((operator_of({A}, {B}, {C}, 1, T) - operator_of(varying, {B}, {C}, 1, T)).norm(),
            1e-14);
}

// (0.5 z + 0.1) / (z^2 - 1.1 z + 0.3) against its difference equation, and a step against its sum.
TEST(Fraction, IsItsDifferenceEquation) {
  const std::vector<double> h = fraction_response({0.5, 0.1}, {1, -1.1, 0.3}, 6);
  std::vector<double> y(8, 0.0);  // y_t = 1.1 y_{t-1} - 0.3 y_{t-2} + 0.5 u_{t-1} + 0.1 u_{t-2}
  const auto u = [](size_t t) { return t == 0 ? 1.0 : 0.0; };
  for (size_t t = 1; t <= 6; ++t)
    y[t] = 1.1 * y[t - 1] - (t > 1 ? 0.3 * y[t - 2] : 0.0) + 0.5 * u(t - 1) +
           (t > 1 ? 0.1 * u(t - 2) : 0.0);
  for (size_t t = 1; t <= 6; ++t) EXPECT_NEAR(h[t - 1], y[t], 1e-15);
  std::vector<Matrix> step;
  double sum = 0;
  for (const double value : h) step.push_back(Matrix::Constant(1, 1, sum += value));
  const Markov back = markov_of_step(step);
  for (size_t k = 0; k < h.size(); ++k) EXPECT_NEAR(back[k](0, 0), h[k], 1e-15);
}

}  // namespace
}  // namespace loopcert::testing
