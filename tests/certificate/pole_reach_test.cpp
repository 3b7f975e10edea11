#include "certificate/pole_reach.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "certificate/identified_cost.hpp"
#include "identified_plant.hpp"

namespace loopcert::testing {
namespace {

IdentifiedPlant identified(std::uint64_t seed, Index episodes) {
  const Problem problem =
      identified_problem(10, {{"identify", true}, {"states", 2}, {"inputs", 1}});
  TruePlant truth = paper_plant();
  truth.A << 0.7, 0.4, -0.5, 0.6;  // a complex pair
  const Stream stream = test_stream(seed, 0);
  Logs logs;
  for (Index i = 0; i < episodes; ++i)
    logs.push_back(draw_log(truth, stream, static_cast<std::uint64_t>(i), 10));
  return identify_plant(problem, logs);
}

Eigen::VectorXcd poles_at(const IdentifiedPlant& plant, const Matrix& F) {
  return plant_at(plant.model, plant.set.Theta_hat + plant.set.root * F * plant.set.G)
      .A.eigenvalues();
}

// Among thousands of plants on the edge of the set none moves a pole further than the directions
// that the first order picks, up to what is left over of it.
TEST(PoleReach, NoOtherPlantMovesItFurther) {
  const IdentifiedPlant plant = identified(1, 4000);  // a small set: the first order says all
  const std::vector<PoleReach> poles = pole_reach(plant.model, plant.set);
  ASSERT_EQ(poles.size(), 2u);
  const Matrix z = standard_normal_rows(test_stream(2, 0), 0, 3000, 6);
  for (const PoleReach& pole : poles) {
    double largest = 0;
    for (Index i = 0; i < z.rows(); ++i) {
      Matrix F = z.row(i).reshaped(2, 3);
      F *= plant.set.beta / F.norm();
      const Eigen::VectorXcd moved = poles_at(plant, F);
      largest = std::max(largest, (moved.array() - pole.pole).abs().minCoeff());
    }
    EXPECT_LT(largest, 1.05 * pole.reach);
    EXPECT_GT(largest, 0.7 * pole.reach);
    EXPECT_EQ(pole.reached.size(), 24u);
  }
}

// Every place that is shown is the pole of a plant of the set: the distance of the nearest one.
TEST(PoleReach, PlacesArePolesOfTheSet) {
  const IdentifiedPlant plant = identified(3, 60);
  for (const PoleReach& pole : pole_reach(plant.model, plant.set))
    for (const std::complex<double>& place : pole.reached) {
      // The smallest change of A in the set's norm that has this pole: Delta = U^1/2 F G, and
      // (A + Delta C - place) singular. Solved for F by a scan over the null vector.
      const Matrix A = plant_at(plant.model, plant.set.Theta_hat).A;
      double smallest = INFINITY;
      for (int a = 0; a < 120; ++a)
        for (int b = 0; b < 120; ++b) {
          const double s = a * 3.14159265358979 / 120, t = b * 2 * 3.14159265358979 / 120;
          Eigen::VectorXcd x(2);
          x << std::cos(s), std::polar(std::sin(s), t);
          const Eigen::VectorXcd need = plant.set.root.triangularView<Eigen::Lower>().solve(
              Eigen::MatrixXcd(place * x - A.cast<std::complex<double>>() * x));
          const Eigen::VectorXcd have =
              (plant.set.G * plant.model.Cr.leftCols(2)).cast<std::complex<double>>() * x;
          // F have = need with real F: least norm over real and imaginary parts.
          Matrix H(3, 2), N(2, 2);
          H << have.real(), have.imag();
          N << need.real(), need.imag();
          const Matrix F = N * H.completeOrthogonalDecomposition().pseudoInverse();
          if ((F * H - N).norm() < 1e-9 * (1 + N.norm())) smallest = std::min(smallest, F.norm());
        }
      EXPECT_LT(smallest, 1.02 * plant.set.beta);
    }
}

TEST(MoreLogs, OnceIsTheSame) {
  const IdentifiedPlant plant = identified(5, 50), same = with_more_logs(plant, 1);
  EXPECT_LT((same.set.U_v - plant.set.U_v).norm(), 1e-12 * plant.set.U_v.norm());
  EXPECT_LT((same.set.G - plant.set.G).norm(), 1e-12 * plant.set.G.norm());
  EXPECT_LT((same.U_0 - plant.U_0).norm(), 1e-12 * plant.U_0.norm());
  const IdentifiedPlant more = with_more_logs(plant, 4);
  EXPECT_EQ(more.n, 200);
  EXPECT_LT(entry_radii(more.set).maxCoeff(), 0.5 * entry_radii(plant.set).maxCoeff());
  EXPECT_LT(more.U_0.trace(), plant.U_0.trace());
}

}  // namespace
}  // namespace loopcert::testing
