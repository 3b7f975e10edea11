// The expansion of an average cost over an ellipsoid of plants, against the plants themselves.
#include "certificate/average_expansion.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <Eigen/SVD>
#include <cmath>
#include <complex>
#include <set>

#include "certificate/identified_cost.hpp"
#include "core/eigenvalues.hpp"
#include "identified_plant.hpp"

namespace loopcert::testing {
namespace {

struct Setting {
  Problem problem;
  IdentifiedPlant plant;
  Matrix K;
};

Setting setting_of(bool offset, Index steps) {
  nlohmann::json system = {{"identify", true}, {"states", 2}, {"inputs", 1}};
  TruePlant truth = paper_plant();
  if (offset) {
    system["offset"] = true;
    truth.c << 0.2, -0.1;
  }
  Setting s{identified_problem("infinite", system), {}, {}};
  s.plant = identify_plant(s.problem, draw_logs(truth, test_stream(51, offset ? 1 : 0), 1, steps));
  s.K.resize(1, s.plant.model.n());
  s.K.rightCols(2) = truth.K;
  if (offset) s.K(0, 0) = 0.05;
  return s;
}

// The average cost at Theta_hat + U^1/2 F G: mean and covariance by dense solves.
double cost_at(const Setting& s, const Matrix& F) {
  const LinearModel& m = s.plant.model;
  const EstimatedLoop loop = loop_of(
      s.problem, m, plant_at(m, s.plant.set.Theta_hat + s.plant.set.root * F * s.plant.set.G));
  const Index f = m.first(), n = m.n() - f;
  const Matrix all = loop.A + loop.B * s.K, A = all.bottomRightCorner(n, n);
  EXPECT_LT(spectral_radius(A), 1);
  const Matrix weight = loop.Q[0] + s.K.transpose() * loop.R[0] * s.K;
  Matrix kron(n * n, n * n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) kron.block(i * n, j * n, n, n) = A(i, j) * A;
  const Matrix noise = (m.E * s.plant.set.U_v * m.E.transpose()).bottomRightCorner(n, n);
  const Matrix I = Matrix::Identity(n * n, n * n);
  const Vector flat = (I - kron).partialPivLu().solve(noise.reshaped());
  double cost = (weight.bottomRightCorner(n, n) * flat.reshaped(n, n)).trace();
  if (f == 0) return cost;
  Vector mean(n + 1);
  mean << 1, (Matrix::Identity(n, n) - A).partialPivLu().solve(all.bottomLeftCorner(n, 1));
  return cost + mean.dot(weight * mean);
}

// Up the slope on the sphere |F| = beta; the largest cost that was met.
double largest_cost(const Setting& s) {
  const double beta = s.plant.set.beta;
  Matrix F = Matrix::Zero(s.plant.model.n_v(), s.plant.model.n_r());
  double best = 0;
  for (int round = 0; round < 30; ++round) {
    Matrix slope = F;
    const double h = 1e-5 * beta;
    for (Index i = 0; i < F.size(); ++i) {
      Matrix there = F;
      there.reshaped()(i) += h;
      slope.reshaped()(i) = cost_at(s, there);
      there.reshaped()(i) -= 2 * h;
      slope.reshaped()(i) -= cost_at(s, there);
    }
    F = beta / slope.norm() * slope;
    best = std::max(best, cost_at(s, F));
  }
  return best;
}

// Of C (z - A)^-1 H over the circle.
double gain_by_frequencies(const Matrix& A, const Matrix& H, const Matrix& W) {
  const Matrix root = W.llt().matrixU();
  double largest = 0;
  for (int k = 0; k <= 4000; ++k) {
    const std::complex<double> z = std::polar(1.0, M_PI * k / 4000);
    const Eigen::MatrixXcd at = root * (z * Eigen::MatrixXcd::Identity(A.rows(), A.rows()) - A)
                                           .partialPivLu()
                                           .solve(Eigen::MatrixXcd(H));
    largest = std::max(largest, Eigen::JacobiSVD<Eigen::MatrixXcd>(at).singularValues()(0));
  }
  return largest;
}

TEST(AverageExpansion, GainIsTheLargestOverFrequencies) {
  const Matrix A = (Matrix(3, 3) << 0.8, 0.3, 0, -0.4, 0.7, 0.1, 0, 0.2, -0.5).finished();
  const Matrix H = (Matrix(3, 2) << 1, 0, 0.5, 1, 0, 2).finished();
  const Matrix W = (Matrix(3, 3) << 2, 0.3, 0, 0.3, 1, 0.1, 0, 0.1, 0.5).finished();
  const auto found = least_gain(A, H, W, W);
  ASSERT_TRUE(found.has_value());
  const double expected = gain_by_frequencies(A, H, W);
  EXPECT_GT(found->gain, expected * (1 - 1e-6));
  EXPECT_LT(found->gain, expected * 1.001);
  EXPECT_TRUE(proves_gain(A, H, W, *found));
  EXPECT_FALSE(proves_gain(A, H, W, {0.999 * found->gain, found->P}));
  EXPECT_FALSE(proves_gain(A, H, W, {found->gain, 0.999 * found->P}));
  EXPECT_FALSE(proves_gain(A, H, W, {found->gain, 1.001 * found->P}));
  EXPECT_FALSE(proves_gain(A, H, W, {found->gain, -found->P}));
  EXPECT_FALSE(proves_gain(A, H, 1.01 * W, *found));
  EXPECT_FALSE(proves_gain(A, H, W, {found->gain, Matrix::Identity(2, 2)}));
  EXPECT_FALSE(least_gain(2 * A, H, W, W).has_value());
  // A loop that is not stable, and a P that is not positive: the block matrix alone is definite.
  const auto number = [](double value) { return Matrix(Matrix::Constant(1, 1, value)); };
  EXPECT_FALSE(proves_gain(number(2), number(1), number(1e-4), {1, number(-1)}));
  // Without a cost's weight on some state nothing becomes singular.
  Matrix part = Matrix::Zero(3, 3);
  part(0, 0) = 1;
  EXPECT_TRUE(least_gain(A, H, part, W).has_value());
}

// The sup of two orders is the largest cost up to the rest, and the rest is of the third order.
TEST(AverageExpansion, TwoOrdersAreThoseOfTheCost) {
  for (const bool offset : {false, true}) {
    Setting s = setting_of(offset, 1500);
    const double beta = s.plant.set.beta;
    double before = 0;
    for (const double share : {1.0, 0.25, 0.0625}) {
      s.plant.set.beta = share * beta;
      const auto found = expand_average(s.plant.loop, s.K, s.plant.set);
      ASSERT_TRUE(found.has_value());
      const double worst = largest_cost(s);
      EXPECT_LE(worst, found->value());
      EXPECT_NEAR(worst, found->nominal + found->sup, found->rest);
      EXPECT_GT(worst, found->nominal + 0.5 * found->sup);
      if (before > 0) {
        EXPECT_LT(found->rest, 0.03 * before);  // a third order: 1/64
      }
      before = found->rest;
      EXPECT_NEAR(found->nominal, cost_at(s, Matrix::Zero(2, s.plant.model.n_r())),
                  1e-9 * found->nominal);
    }
    // By now what is left of the rest is far below the second order.
    EXPECT_LT(before, 1e-3 * (largest_cost(s) - cost_at(s, Matrix::Zero(2, s.plant.model.n_r()))));
  }
}

TEST(AverageExpansion, NothingWhenOrdersDoNotDieOut) {
  Setting s = setting_of(false, 1500);
  const auto found = expand_average(s.plant.loop, s.K, s.plant.set);
  ASSERT_TRUE(found.has_value());
  s.plant.set.beta = 1.001 / found->reply.gain;
  EXPECT_FALSE(expand_average(s.plant.loop, s.K, s.plant.set).has_value());
  s.plant.set.beta = 0.99 / found->reply.gain;
  EXPECT_TRUE(expand_average(s.plant.loop, s.K, s.plant.set).has_value());
}

TEST(AverageExpansion, TheSmallerBoundIsTaken) {
  std::set<std::string> taken;
  Setting s = setting_of(true, 1500);
  const double beta = s.plant.set.beta;
  for (const double share : {1.0, 5.0}) {
    s.plant.set.beta = share * beta;
    const auto riccati = average_bound(s.plant.loop, s.K, s.plant.set);
    const auto expansion = expand_average(s.plant.loop, s.K, s.plant.set);
    const auto bound = bound_identified(s.plant, {s.K});
    ASSERT_TRUE(riccati && bound);
    taken.insert(bound->bound);
    EXPECT_EQ(bound->value,
              std::min(riccati->value, expansion ? expansion->value() : riccati->value));
    // At its own numbers it is the same bound, and at others none.
    const auto again = bound_identified_at(s.plant, *bound);
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(again->bound, bound->bound);
    EXPECT_NEAR(again->value, bound->value, 1e-12 * bound->value);
    IdentifiedBound other = *bound;
    other.P *= 0.99;
    other.reply.P *= 0.99;
    EXPECT_FALSE(bound_identified_at(s.plant, other).has_value());
    if (bound->bound != "expansion") continue;
    other = *bound;
    other.cost_gain.gain *= 0.99;
    EXPECT_FALSE(bound_identified_at(s.plant, other).has_value());
  }
  EXPECT_EQ(taken, (std::set<std::string>{"expansion", "riccati"}));
}

}  // namespace
}  // namespace loopcert::testing
