// Bounds over an ellipsoid of plants against the plants themselves.
#include "certificate/riccati_bound.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>

#include "certificate/identified_cost.hpp"
#include "core/eigenvalues.hpp"
#include "identified_plant.hpp"

namespace loopcert::testing {
namespace {

// The cost of gains on a plant, by its covariances step by step.
double cost_by_covariances(const EstimatedLoop& loop, const Gains& gains, const Matrix& U_v,
                           const Matrix& U_0) {
  Matrix M = U_0;
  double cost = 0;
  for (Index t = 0; t < loop.T; ++t) {
    const Matrix& K = gains[static_cast<size_t>(t)];
    cost += ((loop.Q_at(t) + K.transpose() * loop.R_at(t) * K) * M).trace();
    const Matrix A = loop.A + loop.B * K;
    M = A * M * A.transpose() + loop.model.E * U_v * loop.model.E.transpose();
  }
  return cost + (loop.P * M).trace();
}

// The average cost by the stationary covariance, a dense solve.
double average_by_covariance(const EstimatedLoop& loop, const Matrix& K, const Matrix& U_v) {
  const Matrix A = loop.A + loop.B * K;
  const Index n = A.rows();
  Matrix kron(n * n, n * n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) kron.block(i * n, j * n, n, n) = A(i, j) * A;
  const Matrix noise = loop.model.E * U_v * loop.model.E.transpose();
  const Vector flat =
      (Matrix::Identity(n * n, n * n) - kron).partialPivLu().solve(noise.reshaped());
  const Matrix X = flat.reshaped(n, n);
  return ((loop.Q[0] + K.transpose() * loop.R[0] * K) * X).trace();
}

struct Setting {
  Problem problem;
  IdentifiedPlant plant;
  Gains gains;
};

Setting finite_setting(std::uint64_t seed, bool offset) {
  nlohmann::json system = {{"identify", true}, {"states", 2}, {"inputs", 1}};
  TruePlant truth = paper_plant();
  if (offset) {
    system["offset"] = true;
    truth.c << 0.1, -0.2;
  }
  Setting s{identified_problem(8, system), {}, {}};
  s.plant = identify_plant(s.problem, draw_logs(truth, test_stream(seed, 0), 60, 8));
  Matrix K(1, s.plant.model.n());
  K.rightCols(2) = truth.K;
  if (offset) K(0, 0) = 0.1;
  for (Index t = 0; t < 8; ++t) s.gains.push_back(K * (1 + 0.02 * static_cast<double>(t)));
  return s;
}

// Theta_hat + U^1/2 F G with ||F||_F = beta.
EstimatedLoop on_boundary(const Problem& problem, const IdentifiedPlant& plant, std::uint64_t i) {
  Matrix F = standard_normal_rows(test_stream(40, 7), i, plant.model.n_v(), plant.model.n_r());
  F *= plant.set.beta / F.norm();
  const Matrix Theta = plant.set.Theta_hat + plant.set.root * F * plant.set.G;
  return loop_of(problem, plant.model, plant_at(plant.model, Theta));
}

TEST(RiccatiBound, NoPlantOfTheSetCostsMore) {
  for (const bool offset : {false, true}) {
    const Setting s = finite_setting(11, offset);
    const auto riccati = riccati_bound(s.plant.loop, s.gains, s.plant.set, s.plant.U_0);
    const Expansion expansion = expand(
        interconnection_of(s.plant.loop, s.gains, s.plant.set.U_v, s.plant.U_0), s.plant.set);
    ASSERT_TRUE(riccati.has_value());
    double worst = 0;
    for (std::uint64_t i = 0; i < 500; ++i)
      worst = std::max(worst, cost_by_covariances(on_boundary(s.problem, s.plant, i), s.gains,
                                                  s.plant.set.U_v, s.plant.U_0));
    EXPECT_LT(worst, riccati->value);
    EXPECT_LT(worst, expansion.value());
    const double nominal = cost_by_covariances(s.plant.loop, s.gains, s.plant.set.U_v, s.plant.U_0);
    EXPECT_NEAR(expansion.nominal, nominal, 1e-10 * nominal);
    EXPECT_GT(worst, nominal);  // the set is not a point
  }
}

TEST(RiccatiBound, APointHasItsOwnCost) {
  Setting s = finite_setting(12, false);
  s.plant.set.beta = 0;
  const double nominal = cost_by_covariances(s.plant.loop, s.gains, s.plant.set.U_v, s.plant.U_0);
  const auto bound = riccati_bound(s.plant.loop, s.gains, s.plant.set, s.plant.U_0);
  ASSERT_TRUE(bound.has_value());
  EXPECT_NEAR(bound->value, nominal, 1e-6 * nominal);
  EXPECT_GE(bound->value, nominal * (1 - 1e-12));
}

// The first two orders of the exact cost in the error, by differences.
TEST(RiccatiBound, InterconnectionHasTheDerivativesOfTheCost) {
  for (const bool offset : {false, true}) {
    const Setting s = finite_setting(13, offset);
    const LinearModel& m = s.plant.model;
    const Interconnection c =
        interconnection_of(s.plant.loop, s.gains, s.plant.set.U_v, s.plant.U_0);
    const Matrix Delta = standard_normal_rows(test_stream(41, 0), 0, m.n_v(), m.n_r());
    const auto cost = [&](double h) {
      const EstimatedLoop loop =
          loop_of(s.problem, m, plant_at(m, s.plant.set.Theta_hat + h * Delta));
      return cost_by_covariances(loop, s.gains, s.plant.set.U_v, s.plant.U_0);
    };
    double first = 0, second = 0;
    for (Index t = 0; t < c.steps; ++t)
      for (Index j = 0; j < c.steps; ++j) {
        const auto N = c.to_cost.block(t * c.n_v, j * c.n_r, c.n_v, c.n_r);
        const auto K = c.inputs.block(t * c.n_v, j * c.n_v, c.n_v, c.n_v);
        const auto W = c.moments.block(j * c.n_r, t * c.n_r, c.n_r, c.n_r);
        const auto L = c.replies.block(t * c.n_r, j * c.n_v, c.n_r, c.n_v);
        if (t == j) first += 2 * N.cwiseProduct(Delta).sum();
        second += (K * Delta * W * Delta.transpose()).trace();
        if (j < t) second += 2 * (N.transpose() * Delta * L * Delta).trace();
      }
    const double h = 1e-4;
    const double slope = (cost(h) - cost(-h)) / (2 * h);
    const double bend = (cost(h) - 2 * cost(0) + cost(-h)) / (2 * h * h);
    EXPECT_NEAR(first, slope, 1e-5 * (std::abs(slope) + cost(0)));
    EXPECT_NEAR(second, bend, 1e-4 * (std::abs(bend) + cost(0)));
  }
}

TEST(AverageBound, HoldsForEveryPlantOfTheSet) {
  const Problem problem = unknown_plant("infinite");
  const TruePlant truth = paper_plant();
  const IdentifiedPlant plant =
      identify_plant(problem, draw_logs(truth, test_stream(14, 0), 1, 1500));
  const Matrix K = truth.K;
  const auto bound = average_bound(plant.loop, K, plant.set);
  ASSERT_TRUE(bound.has_value());
  for (std::uint64_t i = 0; i < 500; ++i) {
    const EstimatedLoop other = on_boundary(problem, plant, i);
    EXPECT_LT(spectral_radius(other.A + other.B * K), 1);
    EXPECT_LT(average_by_covariance(other, K, plant.set.U_v), bound->value);
  }
  // The strict inequality, by inverses: P > Q_K + tau beta^2 C'Vt^-1 C + Acl'(P^-1 - H H'/tau)^-1
  // Acl.
  const Matrix H = plant.model.E * plant.set.root, I = Matrix::Identity(2, 2);
  Matrix C(3, 2);
  C << I, K;
  const Matrix Acl = plant.loop.A + plant.loop.B * K, GC = plant.set.G * C;
  const Matrix inner = (bound->P.inverse() - H * H.transpose() / bound->tau).inverse();
  const Matrix right = plant.loop.Q[0] + K.transpose() * plant.loop.R[0] * K +
                       bound->tau * plant.set.beta * plant.set.beta * GC.transpose() * GC +
                       Acl.transpose() * inner * Acl;
  const Matrix gap = bound->P - 0.5 * (right + right.transpose());
  EXPECT_GT(Eigen::SelfAdjointEigenSolver<Matrix>(gap).eigenvalues()(0), 0);
  EXPECT_LT(gap.norm(), 1e-6 * bound->P.norm());
  // A point has its own cost.
  ConfidenceSet point = plant.set;
  point.beta = 1e-9;
  const double nominal = average_by_covariance(plant.loop, K, plant.set.U_v);
  EXPECT_NEAR(average_bound(plant.loop, K, point)->value, nominal, 1e-5 * nominal);
  EXPECT_NEAR(*nominal_average(plant.loop, K, plant.set.U_v), nominal, 1e-9 * nominal);
}

// With a constant: V has a linear part, and the mean of the true loop costs something for ever.
TEST(AverageBound, CountsAConstant) {
  TruePlant truth = paper_plant();
  truth.c << 0.2, -0.1;
  const Problem problem = identified_problem(
      "infinite", {{"identify", true}, {"states", 2}, {"inputs", 1}, {"offset", true}});
  const IdentifiedPlant plant =
      identify_plant(problem, draw_logs(truth, test_stream(15, 0), 2, 2000));
  Matrix K(1, 3);
  K << 0.05, truth.K;
  const auto bound = average_bound(plant.loop, K, plant.set);
  ASSERT_TRUE(bound.has_value());
  const auto average = [&](const EstimatedLoop& loop) {
    // The mean settles where it reproduces itself; the rest is noise around it.
    const Matrix A = (loop.A + loop.B * K).bottomRightCorner(2, 2);
    const Vector c = (loop.A + loop.B * K).bottomLeftCorner(2, 1);
    const Vector m = (Matrix::Identity(2, 2) - A).inverse() * c;
    const Vector u = K.col(0) + K.rightCols(2) * m;
    Matrix X = Matrix::Zero(2, 2);
    for (int i = 0; i < 5000; ++i) X = A * X * A.transpose() + plant.set.U_v;
    const Matrix Q = loop.Q[0].bottomRightCorner(2, 2), Kx = K.rightCols(2);
    return m.dot(Q * m) + u.dot(loop.R[0] * u) +
           ((Q + Kx.transpose() * loop.R[0] * Kx) * X).trace();
  };
  const double nominal = average(plant.loop);
  EXPECT_NEAR(*nominal_average(plant.loop, K, plant.set.U_v), nominal, 1e-9 * nominal);
  for (std::uint64_t i = 0; i < 200; ++i)
    EXPECT_LT(average(on_boundary(problem, plant, i)), bound->value);
  ConfidenceSet point = plant.set;
  point.beta = 1e-9;
  EXPECT_NEAR(average_bound(plant.loop, K, point)->value, nominal, 1e-5 * nominal);
  // Recorded numbers prove the same, and others nothing.
  AverageBound wrong = *bound;
  EXPECT_EQ(average_cost_at(plant.loop, K, plant.set, wrong), bound->value);
  wrong.rise *= 0.99;
  EXPECT_FALSE(average_cost_at(plant.loop, K, plant.set, wrong).has_value());
  wrong = *bound;
  wrong.P *= 0.999;
  EXPECT_FALSE(average_cost_at(plant.loop, K, plant.set, wrong).has_value());
}

}  // namespace
}  // namespace loopcert::testing
