// Designs for identified plants, and how often their certificates fail.
#include "learning/identified_design.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "certificate/bound.hpp"
#include "certificate/wishart.hpp"
#include "chance.hpp"
#include "identified_plant.hpp"
#include "input_error.hpp"
#include "response/lqr.hpp"
#include "system/riccati.hpp"

namespace loopcert::testing {
namespace {

Matrix true_Theta(const TruePlant& plant) {
  Matrix Theta(plant.A.rows(), plant.A.cols() + plant.B.cols());
  Theta << plant.A, plant.B;
  return Theta;
}

// Sigma_v <= U_v and Theta within the ellipsoid.
bool set_holds(const IdentifiedPlant& found, const TruePlant& truth) {
  const Matrix noise = truth.noise * truth.noise * Matrix::Identity(2, 2);
  const Matrix gap = found.set.U_v - noise;
  if (Eigen::SelfAdjointEigenSolver<Matrix>(gap).eigenvalues()(0) < 0) return false;
  // F = U^-1/2 (Theta - Theta_hat) G^-1.
  const Matrix left =
      found.set.root.triangularView<Eigen::Lower>().solve(true_Theta(truth) - found.set.Theta_hat);
  const Matrix F = found.set.G.transpose().partialPivLu().solve(left.transpose()).transpose();
  return F.norm() <= found.set.beta;
}

// What the set and the start are made of, from the logs row by row: 6 % of the episodes, evenly
// spaced in the order of their starts, only choose the scale.
TEST(IdentifiedDesign, SetAndStartAreWhatTheirFormulasSay) {
  const Index n = 40, steps = 6, pilot = 3;
  const Logs logs = draw_logs(paper_plant(), test_stream(49, 0), n, steps);
  const IdentifiedPlant plant = identify_plant(unknown_plant(steps, 0.06), logs);
  const Index N = (n - pilot) * steps;
  std::vector<Index> order(static_cast<size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {  // no two starts are equal
    return logs[static_cast<size_t>(a)].y(0, 0) < logs[static_cast<size_t>(b)].y(0, 0);
  });
  const std::set<Index> chosen = {order[6], order[20], order[33]};  // (2 k + 1) 40 / 6
  Index at = 0;
  Matrix r(N, 3), y(N, 2), scale = Matrix::Zero(3, 3), start = Matrix::Zero(2, 2);
  for (Index i = 0; i < n; ++i) {
    const LogEpisode& log = logs[static_cast<size_t>(i)];
    start += log.y.row(0).transpose() * log.y.row(0) / static_cast<double>(n);
    for (Index t = 0; t < steps; ++t) {
      Eigen::RowVector3d row;
      row << log.y.row(t), log.u.row(t);
      if (chosen.contains(i)) {
        scale += row.transpose() * row;
        continue;
      }
      r.row(at) = row;
      y.row(at++) = log.y.row(t + 1);
    }
  }
  const double q_0 = wishart_floor(2, n, 0.02), q = wishart_floor(2, N, 0.02);
  EXPECT_LT((plant.U_0 - start / q_0).norm(), 1e-10 * plant.U_0.norm());
  const Matrix V = r.transpose() * r;
  const Matrix V_0 = 0.35 * static_cast<double>(N) / static_cast<double>(pilot * steps) * scale;
  const Matrix Theta = r.colPivHouseholderQr().solve(y).transpose();
  EXPECT_LT((plant.set.Theta_hat - Theta).norm(), 1e-8 * Theta.norm());
  const double beta_sq = 2 * std::log(1 / 0.02) +
                         2 * std::log((Matrix::Identity(3, 3) + V_0.inverse() * V).determinant());
  EXPECT_NEAR(plant.set.beta * plant.set.beta, beta_sq, 1e-8 * beta_sq);
  const double eta =
      Eigen::GeneralizedSelfAdjointEigenSolver<Matrix>(V_0, V).eigenvalues().maxCoeff();
  const Matrix left = y - r * Theta.transpose();
  const Matrix U = left.transpose() * left / (static_cast<double>(N) * q - (1 + eta) * beta_sq);
  EXPECT_LT((plant.set.U_v - U).norm(), 1e-8 * U.norm());
}

TEST(IdentifiedDesign, CertificatesFailNoMoreOftenThanTheySay) {
  const TruePlant truth = paper_plant();
  const double delta = 0.5;
  const Problem problem = unknown_plant(6, delta);
  const Index sets = test_count(400, 400);
  Index false_sets = 0, false_bounds = 0, refused = 0;
  for (Index i = 0; i < sets; ++i) {
    const Stream stream = test_stream(50, static_cast<std::uint64_t>(i));
    try {
      const IdentifiedPlant plant = identify_plant(problem, draw_logs(truth, stream, 20, 6));
      const Gains gains = certainty_equivalence(plant.loop);
      const auto bound = bound_identified(plant, gains);
      if (!set_holds(plant, truth)) ++false_sets;
      if (!bound) continue;
      const EstimatedLoop loop = loop_of(problem, plant.model, {truth.A, truth.B});
      const Matrix I = Matrix::Identity(2, 2);
      const double cost =
          nominal_cost(loop, gains, truth.noise * truth.noise * I, truth.start * truth.start * I);
      if (cost > bound->value) ++false_bounds;
    } catch (const NotProved&) {
      ++refused;
    }
  }
  EXPECT_LE(false_sets, most_of(sets, delta * 2 / 3));
  EXPECT_LE(false_bounds, most_of(sets, delta));
  EXPECT_LT(refused, sets / 2);
}

TEST(IdentifiedDesign, AverageCertificatesFailNoMoreOftenThanTheySay) {
  const TruePlant truth = paper_plant();
  const double delta = 0.5;
  const Problem problem = unknown_plant("infinite", delta);
  const Index sets = test_count(400, 400);
  Index false_sets = 0, false_bounds = 0;
  for (Index i = 0; i < sets; ++i) {
    const Stream stream = test_stream(51, static_cast<std::uint64_t>(i));
    const IdentifiedPlant plant = identify_plant(problem, draw_logs(truth, stream, 1, 300));
    if (!set_holds(plant, truth)) ++false_sets;
    const Gains gains = certainty_equivalence(plant.loop);
    const auto bound = bound_identified(plant, gains);
    if (!bound) continue;
    const EstimatedLoop loop = loop_of(problem, plant.model, {truth.A, truth.B});
    const auto cost =
        nominal_average(loop, gains[0], truth.noise * truth.noise * Matrix::Identity(2, 2));
    if (!cost || *cost > bound->value) ++false_bounds;
  }
  EXPECT_LE(false_sets, most_of(sets, delta));
  EXPECT_LE(false_bounds, most_of(sets, delta));
}

// Certainty equivalence is the LQR of the estimate; guaranteed gains have no larger Riccati bound.
TEST(IdentifiedDesign, CertaintyEquivalenceIsLqrOfTheEstimate) {
  const TruePlant truth = paper_plant();
  const Problem problem = unknown_plant(8);
  const IdentifiedPlant plant =
      identify_plant(problem, draw_logs(truth, test_stream(52, 0), 60, 8));
  System system = problem.system;
  system.plant.A = {plant.loop.A};
  system.plant.B = {plant.loop.B};
  const LqrGains lqr = lqr_gains(system);
  const Gains gains = certainty_equivalence(plant.loop);
  for (size_t t = 0; t < gains.size(); ++t)
    EXPECT_LT((gains[t] - lqr.K[t]).norm(), 1e-10 * gains[t].norm()) << t;

  const auto guaranteed = guaranteed_gains(plant);
  ASSERT_TRUE(guaranteed.has_value());
  EXPECT_LE(riccati_bound(plant.loop, *guaranteed, plant.set, plant.U_0)->value,
            riccati_bound(plant.loop, gains, plant.set, plant.U_0)->value * (1 + 1e-6));

  const Problem endless = unknown_plant("infinite");
  const IdentifiedPlant other =
      identify_plant(endless, draw_logs(truth, test_stream(53, 0), 1, 1000));
  system.plant.A = {other.loop.A};
  system.plant.B = {other.loop.B};
  const Gains stationary = certainty_equivalence(other.loop);
  EXPECT_LT((stationary[0] - stationary_lqr(system).K).norm(), 1e-10);
  const auto robust = guaranteed_gains(other);
  ASSERT_TRUE(robust.has_value());
  EXPECT_LE(average_bound(other.loop, (*robust)[0], other.set)->value,
            average_bound(other.loop, stationary[0], other.set)->value * (1 + 1e-6));
}

// A constant force: the stationary gain with its feedforward is where the cost of the estimate has
// no slope.
TEST(IdentifiedDesign, FeedforwardOfAConstant) {
  TruePlant truth = paper_plant();
  truth.c << 0.2, -0.1;
  const Problem problem = identified_problem(
      "infinite", {{"identify", true}, {"states", 2}, {"inputs", 1}, {"offset", true}});
  const IdentifiedPlant plant =
      identify_plant(problem, draw_logs(truth, test_stream(54, 0), 2, 1500));
  const Matrix K = certainty_equivalence(plant.loop)[0];
  const auto cost = [&](Index j, double h) {
    Matrix moved = K;
    moved(0, j) += h;
    return *nominal_average(plant.loop, moved, plant.set.U_v);
  };
  for (Index j = 0; j < 3; ++j) {
    const double h = 1e-4;
    EXPECT_LT(std::abs(cost(j, h) - cost(j, -h)) / (2 * h), 1e-6) << j;
    EXPECT_GT(cost(j, h), cost(j, 0));
  }
}

TEST(IdentifiedDesign, RefusesWithNumbers) {
  TruePlant truth = paper_plant();
  const Problem problem = unknown_plant(6);
  EXPECT_TRUE(contains(
      input_error([&] { identify_plant(problem, draw_logs(truth, test_stream(55, 0), 5, 6)); }),
      "are needed"));
  truth.excitation = 0;  // u = K x: one direction is never taken
  EXPECT_TRUE(contains(
      input_error([&] { identify_plant(problem, draw_logs(truth, test_stream(56, 0), 80, 6)); }),
      "never excite the direction"));
  truth = paper_plant();
  truth.noisy(0) = 0;
  EXPECT_TRUE(contains(
      input_error([&] { identify_plant(problem, draw_logs(truth, test_stream(57, 0), 80, 6)); }),
      "row 1 of the plant leaves nothing over"));
}

}  // namespace
}  // namespace loopcert::testing
