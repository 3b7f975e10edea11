// The cost of gains minus that of no input over an ellipsoid of plants, against the plants.
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "certificate/identified_cost.hpp"
#include "identified_plant.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert::testing {
namespace {

struct Setting {
  Problem problem;
  IdentifiedPlant plant;
  Gains gains, none;
};

Setting setting_of(bool offset, Index episodes) {
  nlohmann::json system = {{"identify", true}, {"states", 2}, {"inputs", 1}};
  TruePlant truth = paper_plant();
  if (offset) {
    system["offset"] = true;
    truth.c << 0.1, -0.2;
  }
  Setting s{identified_problem(6, system), {}, {}, {}};
  const Logs logs = draw_logs(truth, test_stream(61, offset ? 1 : 0), episodes, 6);
  s.plant = identify_plant(s.problem, logs, true);
  Matrix K(1, s.plant.model.n());
  K.rightCols(2) = truth.K;
  if (offset) K(0, 0) = 0.1;
  s.gains = Gains(6, K);
  s.none = Gains(6, 0 * K);
  return s;
}

// Laws between the envelopes: shares of the widths, in the direction of a vector.
Matrix between(const Matrix& U, double least, double share, const Vector& along) {
  const Matrix root = U.llt().matrixL();
  const Vector unit = along / along.norm();
  const Matrix I = Matrix::Identity(U.rows(), U.rows());
  const Matrix Y = share * I + (1 - share) * unit * unit.transpose();
  return least * U + (1 - least) * root * Y * root.transpose();
}

TEST(IdentifiedDifference, NoPlantAndNoLawOfTheSetGainsLess) {
  for (const bool offset : {false, true}) {
    const Setting s = setting_of(offset, 150);
    const IdentifiedPlant& plant = s.plant;
    const auto bound = bound_difference(plant, s.gains);
    ASSERT_TRUE(bound.has_value());
    EXPECT_LT(bound->nominal, bound->value);
    EXPECT_LT(bound->value, 0);  // it shows something
    const double N = static_cast<double>(plant.set.transitions);
    const double of_noise = (N * plant.set.q - plant.set.b_sq) / (N * plant.noise_ceiling);
    const double of_start = plant.start_floor / plant.start_ceiling;
    EXPECT_LT(of_noise, 1);
    EXPECT_LT(of_start, 1);
    const Index f = plant.model.first();
    double worst = -1e300;
    for (std::uint64_t i = 0; i < 400; ++i) {
      const Matrix z = standard_normal_rows(test_stream(62, 7), i, 1, 30);
      Matrix F = z.leftCols(2 * plant.model.n_r()).reshaped(2, plant.model.n_r());
      F *= plant.set.beta / F.norm();
      const Matrix Theta = plant.set.Theta_hat + plant.set.root * F * plant.set.G;
      const EstimatedLoop loop = loop_of(s.problem, plant.model, plant_at(plant.model, Theta));
      const double share = static_cast<double>(i % 3) / 2;
      const Matrix U_v = between(plant.set.U_v, of_noise, share, z.block(0, 20, 1, 2).transpose());
      const Matrix U_0 =
          start_on_state(plant.model, between(plant.U_0.bottomRightCorner(2, 2), of_start, share,
                                              z.block(0, 22, 1, 2).transpose()));
      worst = std::max(
          worst, nominal_cost(loop, s.gains, U_v, U_0) - nominal_cost(loop, s.none, U_v, U_0));
    }
    EXPECT_LT(worst, bound->value);
    EXPECT_GT(worst, 1.5 * bound->nominal);  // the plants differ
    EXPECT_EQ(f, offset ? 1 : 0);
  }
}

// Without any uncertainty it is the difference itself.
TEST(IdentifiedDifference, APointHasItsOwnDifference) {
  for (const bool offset : {false, true}) {
    Setting s = setting_of(offset, 80);
    s.plant.set.beta = 1e-9;
    s.plant.start_ceiling = s.plant.start_floor;
    const double N = static_cast<double>(s.plant.set.transitions);
    s.plant.noise_ceiling = s.plant.set.q - s.plant.set.b_sq / N;
    const auto bound = bound_difference(s.plant, s.gains);
    ASSERT_TRUE(bound.has_value());
    const double expected = nominal_cost(s.plant.loop, s.gains, s.plant.set.U_v, s.plant.U_0) -
                            nominal_cost(s.plant.loop, s.none, s.plant.set.U_v, s.plant.U_0);
    EXPECT_NEAR(bound->nominal, expected, 1e-9 * std::abs(expected));
    EXPECT_NEAR(bound->value, expected, 1e-4 * std::abs(expected));
  }
}

TEST(IdentifiedDifference, AnyMultipliersAreValidAndOthersAreWorse) {
  const Setting s = setting_of(false, 80);
  const auto bound = bound_difference(s.plant, s.gains);
  ASSERT_TRUE(bound.has_value());
  const auto again = bound_identified_at(s.plant, *bound);
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->value, bound->value);
  for (const double factor : {0.3, 3.0}) {
    std::vector<double> below = bound->below;
    for (double& tau : below) tau *= factor;
    const auto other = bound_difference_at(s.plant, s.gains, bound->tau, below);
    if (other) {
      EXPECT_GT(other->value, bound->value);
    }
    const auto above = bound_difference_at(s.plant, s.gains, factor * bound->tau, bound->below);
    if (above) {
      EXPECT_GT(above->value, bound->value);
    }
  }
  std::vector<double> negative = bound->below;
  negative[2] = -1e-3;
  EXPECT_FALSE(bound_difference_at(s.plant, s.gains, bound->tau, negative).has_value());
  EXPECT_FALSE(bound_difference_at(s.plant, s.gains, bound->tau, {1, 1}).has_value());
  EXPECT_FALSE(bound_difference_at(s.plant, s.gains, -1, bound->below).has_value());
}

TEST(IdentifiedDifference, HasTwoMoreEvents) {
  const Setting s = setting_of(false, 80);
  const Certificate c =
      identified_certificate(s.problem, s.plant, bound_difference(s.plant, s.gains).value());
  ASSERT_EQ(c.events.size(), 5U);
  for (const Event& event : c.events) EXPECT_NEAR(event.delta, 0.01, 1e-15);
  EXPECT_EQ(c.kind, "identified-improvement");
  EXPECT_EQ(c.functional.id, "cost-difference");
  EXPECT_NEAR(c.confidence, 0.95, 1e-12);
  // 480 - 30 transitions, 80 starts, two entries each.
  const auto ceiling = [](double n) {
    return std::pow(1 + std::sqrt(2 / n) + std::sqrt(2 * std::log(100.0) / n), 2);
  };
  EXPECT_NEAR(s.plant.noise_ceiling, ceiling(static_cast<double>(s.plant.set.transitions)), 1e-12);
  EXPECT_NEAR(s.plant.start_ceiling, ceiling(80), 1e-12);
  // From one side only there is none, nor for ever.
  const Logs logs = draw_logs(paper_plant(), test_stream(61, 0), 80, 6);
  EXPECT_FALSE(bound_difference(identify_plant(s.problem, logs), s.gains).has_value());
  const Logs one = draw_logs(paper_plant(), test_stream(61, 0), 1, 900);
  EXPECT_THROW(identify_plant(unknown_plant("infinite"), one, true), InputError);
}

}  // namespace
}  // namespace loopcert::testing
