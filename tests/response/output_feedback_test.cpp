// A plant that is seen through a sensor: the sizes n_x, n_w and n_y all differ, and everything that
// learns or weighs a response works as it is.
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "learning/minimizers.hpp"
#include "loopcert/core/error.hpp"
#include "random_system.hpp"
#include "response/response.hpp"
#include "response/space.hpp"
#include "response/white_outputs.hpp"
#include "risk/risk.hpp"
#include "system/stacked.hpp"

namespace loopcert::testing {
namespace {

// y_t = position + v_t. A trajectory is (eta, x_free): the outputs and the states without inputs.
// The controller sees eta, the cost is on the states.
PlantOperator seen_through_a_sensor(const Plant& plant) {
  const Sizes s = plant.sizes();
  const PlantOperator states = plant_operator(plant);
  const Sizes sizes(s.n_x, 1 + s.n_x, 1, s.n_u, s.T);
  const Index n_eta = sizes.d_y(), n_free = sizes.d_x();
  return {sizes,
          [=](const MatrixView& W, const MatrixView& U) {
            return Matrix(W.middleRows(n_eta, n_free) + states.G(U));
          },
          Vector::Zero(sizes.d_w())};
}

// E ww' of that w: white disturbances of variance 0.1 on x_0 and every step, `noise` on y.
Matrix joint_moment(const Plant& plant, double noise) {
  const Sizes s = plant.sizes();
  const Matrix F = plant_operator(plant).F(Matrix::Identity(s.d_w(), s.d_w()));
  const Matrix X = 0.1 * F * F.transpose();
  Matrix C = Matrix::Zero(s.T + 1, s.d_x());
  for (Index t = 0; t <= s.T; ++t) C(t, t * s.n_x) = 1;
  Matrix Sigma(s.T + 1 + s.d_x(), s.T + 1 + s.d_x());
  Sigma << C * X * C.transpose() + noise * Matrix::Identity(s.T + 1, s.T + 1), C * X,
      X * C.transpose(), X;
  return Sigma;
}

// Kalman filter and Riccati recursion: the optimum among all causal controllers of the outputs.
double lqg_cost(const System& system, double noise) {
  const Matrix &A = system.plant.A[0], &B = system.plant.B[0];
  const Index T = system.plant.T, n = A.rows();
  std::vector<Matrix> V(static_cast<size_t>(T + 1)), Gamma(static_cast<size_t>(T));
  V.back() = system.cost.P;
  for (Index t = T; t-- > 0;) {
    const Matrix& next = V[static_cast<size_t>(t + 1)];
    const Matrix G = system.cost.R[0] + B.transpose() * next * B;
    const Matrix K = G.llt().solve(B.transpose() * next * A);
    Gamma[static_cast<size_t>(t)] = K.transpose() * G * K;
    V[static_cast<size_t>(t)] =
        system.cost.Q[0] + A.transpose() * next * A - Gamma[static_cast<size_t>(t)];
  }
  // E x_0'V_0 x_0 + sum tr(V_{t+1} W) + sum tr(Gamma_t E e_t e_t'), e_t the error of the filter
  const Matrix W = 0.1 * Matrix::Identity(n, n);
  Matrix ahead = W;  // covariance of the prediction error
  double cost = (V[0] * W).trace();
  for (Index t = 0; t < T; ++t) {
    const Vector gain = ahead.col(0) / (ahead(0, 0) + noise);
    const Matrix error = ahead - gain * ahead.row(0);
    cost += (Gamma[static_cast<size_t>(t)] * error).trace() +
            (V[static_cast<size_t>(t + 1)] * W).trace();
    ahead = A * error * A.transpose() + W;
  }
  return cost;
}

TEST(OutputFeedback, TheOptimumOfTheSpaceIsThatOfTheKalmanFilter) {
  const System system = double_integrator();
  const PlantOperator plant = seen_through_a_sensor(system.plant);
  const Functional cost = cost_functional(system.cost, plant.sizes);
  const double known[] = {8.5559059, 11.1475661, 21.8971133};  // noise 0.01, 0.1, 1
  int row = 0;
  for (const double noise : {0.01, 0.1, 1.0}) {
    const Matrix Sigma = joint_moment(system.plant, noise);
    const double optimum = lqg_cost(system, noise);
    EXPECT_NEAR(optimum, known[row++], 1e-7);
    for (const Basis basis : {Basis::orthonormal, Basis::input, Basis::cost})
      for (const Start start : {Start::min_norm, Start::zero_input}) {
        const ResponseSpace space = make_response_space(plant, cost, {false, start, basis});
        EXPECT_EQ(space.coordinates.p(), 10 * 11 / 2);
        const Minimizer best = minimize_risk(space.cost, Sigma);
        EXPECT_NEAR(risk(space.cost, Sigma, best.Z), optimum, 1e-9 * optimum);
        // What the response says of itself: inputs that use no output that is not yet measured.
        const Response r = response_at(plant, space.coordinates, best.Z);
        EXPECT_TRUE(r.Phi_u.rightCols(22).isZero(0.0));
        for (Index t = 0; t < 10; ++t)
          EXPECT_TRUE(r.Phi_u.row(t).segment(t + 1, 10 - t).isZero(1e-13));
        EXPECT_NEAR(response_risk(system, r, {Vector::Zero(33), Sigma}), optimum, 1e-9 * optimum);
      }
  }
}

TEST(OutputFeedback, LqrNeedsAState) {
  const System system = double_integrator();
  const PlantOperator plant = seen_through_a_sensor(system.plant);
  EXPECT_THROW(make_response_space(plant, cost_functional(system.cost, plant.sizes),
                                   {false, Start::lqr, Basis::cost}),
               InputError);
}

// The best answer to eta_t = a eta_{t-1} + v_t is one and the same for every covariance of a white
// v.
TEST(OutputFeedback, AColourIsAnsweredBestWhateverItsSize) {
  const Index T = 6, n_y = 2;
  System system;
  system.plant.T = T;
  system.plant.G = Matrix::Zero((T + 1) * n_y, T);
  for (Index t = 0; t <= T; ++t)
    for (Index s = 0; s < t; ++s)
      system.plant.G.block(t * n_y, s, n_y, 1) =
          random_matrix(n_y, 1, static_cast<std::uint64_t>(t - s));
  system.cost = {{Matrix::Identity(n_y, n_y)}, {0.3 * Matrix::Identity(1, 1)}, {}};
  system.cost.P = 2 * Matrix::Identity(n_y, n_y);
  const ResponseSpace space = make_response_space(system, {false, Start::zero_input, Basis::input});
  for (const double a : {0.8, 1.0})
    for (const std::uint64_t seed : {1u, 2u}) {
      Matrix L = Matrix::Identity(n_y * (T + 1), n_y * (T + 1)), white = 0 * L;
      for (Index i = 0; i < L.rows(); ++i)
        for (Index j = i; j >= 0; j -= n_y) L(i, j) = std::pow(a, (i - j) / n_y);
      for (Index t = 0; t <= T; ++t) {
        const Matrix root = random_matrix(n_y, n_y, 50 * seed + static_cast<std::uint64_t>(t));
        white.block(t * n_y, t * n_y, n_y, n_y) = root * root.transpose();
      }
      const Matrix Sigma = L * white * L.transpose();
      const double best = risk(space.cost, Sigma, minimize_risk(space.cost, Sigma).Z);
      const Response found = white_outputs_response(system, a);
      EXPECT_NEAR(response_risk(system, found, {Vector::Zero(Sigma.rows()), Sigma}), best,
                  1e-9 * best);
      EXPECT_GT(found.Phi_u.norm(), 1e-3);
    }
  EXPECT_TRUE(white_outputs_response(system, 0).Phi_u.isZero(0.0));
}

// A row of a limit: E (g_x'x + g_u'u)^2 from the response itself.
TEST(Functionals, ARowIsItsVariance) {
  const System system = double_integrator();
  const Sizes s = system.sizes();
  const ResponseSpace space = make_response_space(system, {});
  const Vector g_x = random_matrix(s.d_x(), 1, 1), g_u = random_matrix(s.d_u(), 1, 2);
  const QuadraticForm row = quadratic_form(space.coordinates, row_functional(g_x, g_u));
  const Matrix Z = random_coordinates(space.coordinates.pattern, 3);
  const Response r = response_at(system, space.coordinates, Z);
  const Vector h = r.Phi_x.transpose() * g_x + r.Phi_u.transpose() * g_u;
  const Matrix root = random_matrix(s.d_w(), s.d_w(), 4), Sigma = root * root.transpose();
  EXPECT_NEAR(risk(row, Sigma, Z), h.dot(Sigma * h), 1e-10 * h.dot(Sigma * h));
}

TEST(Functionals, ADifferenceIsTwoCosts) {
  const System system = double_integrator();
  const ResponseSpace space = make_response_space(system, {});
  const CausalPattern& pattern = space.coordinates.pattern;
  const Matrix Z = random_coordinates(pattern, 5), baseline = random_coordinates(pattern, 6);
  const Matrix root = random_matrix(22, 22, 7), Sigma = root * root.transpose();
  const double expected = risk(space.cost, Sigma, Z) - risk(space.cost, Sigma, baseline);
  EXPECT_NEAR(risk(difference_form(space.cost, baseline), Sigma, Z), expected,
              1e-10 * risk(space.cost, Sigma, Z));
}

}  // namespace
}  // namespace loopcert::testing
