// Limits of identified plants against the plants of the set, and against the truth.
#include "certificate/identified_limits.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "chance.hpp"
#include "identified_plant.hpp"
#include "response/limit_rows.hpp"

namespace loopcert::testing {
namespace {

nlohmann::json limit_rows() {
  return {{{"name", "tilt"}, {"x", {1, 0.5}}, {"min", -2}, {"max", 1.5}},
          {{"name", "push"}, {"u", {1}}, {"max", 1.2}},
          {{"name", "both"}, {"x", {0, 1}}, {"u", {0.5}}, {"min", -3}}};
}

Problem limited_problem(const nlohmann::json& horizon, bool offset, double delta = 0.05) {
  nlohmann::json tree = {{"horizon", horizon},
                         {"system", {{"identify", true}, {"states", 2}, {"inputs", 1}}},
                         {"cost", {{"Q", {1, 0.1}}, {"R", {0.5}}}},
                         {"certificate", {{"delta", delta}}},
                         {"limits", {{"rows", limit_rows()}}}};
  tree["system"]["offset"] = offset;
  tree["limits"][horizon.is_string() ? "each" : "probability"] = 0.05;
  return problem_from_json(tree);
}

struct MeanAndVariance {
  double mean = 0, variance = 0;
};

// Of a row in the closed loop of a plant, by its means and covariances step by step; many steps for
// ever.
MeanAndVariance row_on(const EstimatedLoop& plant, const Gains& gains, const Matrix& U_v,
                       Matrix start, const LimitRow& row, Index t) {
  const LinearModel& m = plant.model;
  Vector mean = Vector::Zero(m.n());
  if (m.constant) {
    mean(0) = 1;
    start(0, 0) = 0;
  }
  Matrix M = start;
  const Index steps = plant.T == 0 ? 600 : t;
  const auto gain = [&](Index at) {
    return at < std::ssize(gains) ? gains[static_cast<size_t>(at)]
                                  : (plant.T == 0 ? gains[0] : Matrix(Matrix::Zero(m.n_u, m.n())));
  };
  for (Index k = 0; k < steps; ++k) {
    const Matrix A = plant.A + plant.B * gain(k);
    mean = A * mean;
    M = A * M * A.transpose() + m.E * U_v * m.E.transpose();
  }
  Vector h = gain(plant.T == 0 ? 0 : t).transpose() * row.u;
  h.segment(m.first(), m.n_y) += row.x;
  return {h.dot(mean), h.dot(M * h)};
}

EstimatedLoop plant_of_set(const Problem& problem, const IdentifiedPlant& plant, std::uint64_t i) {
  Matrix F = standard_normal_rows(test_stream(60, 7), i, plant.model.n_v(), plant.model.n_r());
  F *= plant.set.beta / F.norm();
  const Matrix Theta = plant.set.Theta_hat + plant.set.root * F * plant.set.G;
  return loop_of(problem, plant.model, plant_at(plant.model, Theta));
}

struct LimitedSetting {
  Problem problem;
  IdentifiedPlant plant;
  Gains gains;
};

LimitedSetting limited_setting(bool infinite, bool offset) {
  TruePlant truth = paper_plant();
  if (offset) truth.c << 0.1, -0.2;
  LimitedSetting s{
      limited_problem(infinite ? nlohmann::json("infinite") : nlohmann::json(7), offset), {}, {}};
  s.plant = identify_plant(s.problem, infinite ? draw_logs(truth, test_stream(61, 0), 1, 1500)
                                               : draw_logs(truth, test_stream(62, 0), 80, 7));
  Matrix K(1, s.plant.model.n());
  K.rightCols(2) = truth.K;
  if (offset) K(0, 0) = 0.1;
  for (Index t = 0; t < (infinite ? 1 : 7); ++t)
    s.gains.push_back(K * (1 + 0.02 * static_cast<double>(t)));
  return s;
}

TEST(IdentifiedLimits, NoPlantOfTheSetViolatesMore) {
  for (const bool infinite : {false, true})
    for (const bool offset : {false, true}) {
      const LimitedSetting s = limited_setting(infinite, offset);
      const Limits& limits = *s.problem.limits;
      const LimitBounds bounds = bound_limits(s.problem, s.plant, s.gains);
      ASSERT_EQ(std::ssize(bounds.rows), limits.count());
      const Matrix start =
          infinite ? Matrix(Matrix::Zero(s.plant.model.n(), s.plant.model.n())) : s.plant.U_0;
      double largest = 0, sum = 0, tightest = 0;
      for (const RowBound& row : bounds.rows) {
        sum += row.violation;
        largest = std::max(largest, row.violation);
        ASSERT_NE(row.variance.bound, "none");
        const double error = row.error ? std::sqrt(row.error->value) : 0;
        EXPECT_EQ(row.error.has_value(), offset);
        const LimitRow& of = limits.rows[static_cast<size_t>(row.at.row)];
        const MeanAndVariance own =
            row_on(s.plant.loop, s.gains, s.plant.set.U_v, start, of, row.at.t);
        EXPECT_NEAR(row.mean, own.mean, 1e-9);
        for (std::uint64_t i = 0; i < (infinite ? 20U : 100U); ++i) {
          const EstimatedLoop other = plant_of_set(s.problem, s.plant, i);
          const MeanAndVariance at = row_on(other, s.gains, s.plant.set.U_v, start, of, row.at.t);
          EXPECT_LE(at.variance, row.variance.value * (1 + 1e-9));
          EXPECT_LE(std::abs(at.mean - row.mean), error + 1e-9);
          EXPECT_LE(violation(of.low, of.high, at.mean, std::sqrt(at.variance)),
                    row.violation * (1 + 1e-9));
          tightest = std::max(tightest, at.variance / row.variance.value);
        }
      }
      EXPECT_EQ(bounds.value, infinite ? largest : std::min(1.0, sum));
      EXPECT_GT(tightest, 0.5);  // a bound, not just any large number
    }
}

// Without error a row has its own variance and mean.
TEST(IdentifiedLimits, APointHasItsOwnRows) {
  for (const bool infinite : {false, true})
    for (const bool offset : {false, true}) {
      LimitedSetting s = limited_setting(infinite, offset);
      s.plant.set.beta = 1e-9;
      const Matrix start =
          infinite ? Matrix(Matrix::Zero(s.plant.model.n(), s.plant.model.n())) : s.plant.U_0;
      for (const RowBound& row : bound_limits(s.problem, s.plant, s.gains).rows) {
        const LimitRow& of = s.problem.limits->rows[static_cast<size_t>(row.at.row)];
        const MeanAndVariance own =
            row_on(s.plant.loop, s.gains, s.plant.set.U_v, start, of, row.at.t);
        EXPECT_NEAR(row.variance.value, own.variance, 1e-5 * own.variance);
        EXPECT_NEAR(row.violation, violation(of.low, of.high, own.mean, std::sqrt(own.variance)),
                    1e-4 * row.violation);
      }
    }
}

TEST(IdentifiedLimits, RecordedNumbersProveTheSame) {
  for (const bool infinite : {false, true}) {
    const LimitedSetting s = limited_setting(infinite, true);
    const LimitBounds bounds = bound_limits(s.problem, s.plant, s.gains);
    const auto again = bound_limits_at(s.problem, s.plant, s.gains, bounds);
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(again->value, bounds.value);
    LimitBounds wrong = bounds;
    wrong.rows.pop_back();
    EXPECT_FALSE(bound_limits_at(s.problem, s.plant, s.gains, wrong).has_value());
    wrong = bounds;
    std::swap(wrong.rows[0], wrong.rows[1]);
    EXPECT_FALSE(bound_limits_at(s.problem, s.plant, s.gains, wrong).has_value());
    // A row that says less than the truth is computed again, not believed.
    wrong = bounds;
    for (RowBound& row : wrong.rows) row.violation = row.variance.value = 0;
    const auto computed = bound_limits_at(s.problem, s.plant, s.gains, wrong);
    ASSERT_TRUE(computed.has_value());
    EXPECT_EQ(computed->value, bounds.value);
    const Certificate c = limits_certificate(s.problem, s.plant, bounds);
    EXPECT_EQ(c.kind, "limits-envelope");
    EXPECT_EQ(c.functional.id, infinite ? "violation-each" : "violation");
    EXPECT_EQ(c.value, bounds.value);
    IdentifiedBound cost;
    cost.bound = "riccati";
    const Certificate of_cost = identified_certificate(s.problem, s.plant, cost);
    EXPECT_EQ(c.confidence, of_cost.confidence);
    EXPECT_EQ(c.assumptions, of_cost.assumptions);
    EXPECT_EQ(std::ssize(c.events), infinite ? 2 : 3);
  }
}

// A start that nothing unknown has touched yet is bounded by its own event alone.
TEST(IdentifiedLimits, TheFirstInputIsTheStartsAlone) {
  const LimitedSetting s = limited_setting(false, false);
  for (const RowBound& row : bound_limits(s.problem, s.plant, s.gains).rows) {
    EXPECT_EQ(row.variance.bound == "start", row.at.t == 0);
    if (row.at.t > 0) continue;
    const LimitRow& of = s.problem.limits->rows[static_cast<size_t>(row.at.row)];
    const Vector h = of.x + s.gains[0].transpose() * of.u;
    EXPECT_NEAR(row.variance.value, h.dot(s.plant.U_0 * h), 1e-12);
  }
}

// A scalar plant, few episodes, delta 0.5: whatever gains are picked by looking at the same logs,
// among them those that the certificate flatters most, their rows exceed the bounds in no more sets
// than delta. The negative control is another plant.
Problem scalar_problem(bool infinite, bool offset) {
  nlohmann::json tree = {{"horizon", 3},
                         {"system", {{"identify", true}, {"states", 1}, {"inputs", 1}}},
                         {"cost", {{"Q", {1}}, {"R", {0.5}}}},
                         {"certificate", {{"delta", 0.5}}},
                         {"limits", {{"u", {-1, 1}}, {"x", {-1.5, 1.2}}}}};
  if (infinite) tree["horizon"] = "infinite";
  tree["system"]["offset"] = offset;
  return problem_from_json(tree);
}

Index sets_that_fail(bool infinite, bool offset, Index sets, double more_noise) {
  const Problem problem = scalar_problem(infinite, offset);
  TruePlant truth;
  truth.A = Matrix::Constant(1, 1, 0.9);
  truth.B = Matrix::Constant(1, 1, 0.7);
  truth.c = Vector::Constant(1, offset ? 0.1 : 0);
  truth.K = Matrix::Constant(1, 1, -0.4);
  truth.noisy = Vector::Ones(1);
  Index failed = 0;
  for (Index k = 0; k < sets; ++k) {
    const Stream stream =
        test_stream(63 + (infinite ? 1 : 0) + (offset ? 2 : 0), static_cast<std::uint64_t>(k));
    IdentifiedPlant plant;
    try {
      plant = identify_plant(
          problem, infinite ? draw_logs(truth, stream, 1, 80) : draw_logs(truth, stream, 22, 3));
    } catch (const std::exception&) {
      continue;  // too little was learned for any statement
    }
    EstimatedPlant own{Matrix::Zero(plant.model.n(), plant.model.n()),
                       Matrix::Zero(plant.model.n(), 1)};
    const Index f = plant.model.first();
    if (offset) own.A(0, 0) = 1;
    own.A(f, f) = 0.9;
    own.B(f, 0) = 0.7;
    if (offset) own.A(1, 0) = truth.c(0);
    const EstimatedLoop loop = loop_of(problem, plant.model, own);
    const Matrix U_v = Matrix::Constant(1, 1, truth.noise * truth.noise * more_noise);
    const Matrix U_0 =
        start_on_state(plant.model, Matrix::Constant(1, 1, truth.start * truth.start));
    bool fails = false;
    for (const double gain : {-1.1, -0.7, -0.2, 0.1}) {
      Matrix K(1, plant.model.n());
      K(0, f) = gain;
      if (offset) K(0, 0) = -0.1;
      const Gains gains(infinite ? 1 : 3, K);
      if (infinite && !bound_identified(plant, gains)) continue;
      for (const RowBound& row : bound_limits(problem, plant, gains).rows) {
        const LimitRow& of = problem.limits->rows[static_cast<size_t>(row.at.row)];
        const MeanAndVariance at = row_on(loop, gains, U_v, U_0, of, row.at.t);
        const double sigma = std::sqrt(at.variance);
        fails = fails || violation(of.low, of.high, at.mean, sigma) > row.violation * (1 + 1e-9);
      }
    }
    failed += fails ? 1 : 0;
  }
  return failed;
}

TEST(IdentifiedLimits, RowsKeepTheirBoundsAtHalf) {
  for (const bool infinite : {false, true})
    for (const bool offset : {false, true}) {
      const Index sets = test_count(infinite ? 150 : 1000, 40);
      EXPECT_LE(sets_that_fail(infinite, offset, sets, 1), most_of(sets, 0.5));
      // Another plant: four times the noise. Nearly every set must be seen to fail.
      EXPECT_GT(sets_that_fail(infinite, offset, sets, 16), most_of(sets, 0.5));
    }
}

}  // namespace
}  // namespace loopcert::testing
