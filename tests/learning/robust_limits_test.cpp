#include "learning/robust_limits.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "data/moments.hpp"
#include "random_system.hpp"
#include "response/space.hpp"
#include "risk/risk.hpp"
#include "seed.hpp"

namespace loopcert::testing {
namespace {

struct RobustCase {
  ResponseSpace space;
  RowCoordinates rows;
  Vector low, high;
  BoundedSet set;
  Matrix Sigma;

  LimitedMinimizer solve() const {
    return minimize_robustly(space.cost, rows, low, high, set, Sigma);
  }
  // m_c + reach_c - high_c and -m_c + reach_c + low_c, whichever is larger.
  Vector over(const Matrix& Z) const {
    const Sizes& sizes = space.coordinates.pattern.sizes;
    const Matrix a = rows.a + rows.p * Z;
    const bool constant = space.coordinates.pattern.constant;
    const Vector m = constant ? Vector(a.col(0)) : Vector::Zero(a.rows());
    return reaches(set, sizes, a.rightCols(sizes.d_w())) + (m - high).cwiseMax(low - m);
  }
};

void set_limits(RobustCase& c, const Limits& limits) {
  c.rows = row_coordinates(limits, c.space.coordinates);
  c.low.resize(limits.count());
  c.high.resize(limits.count());
  Index i = 0;
  for (const LimitAt& at : limits_at_steps(limits)) {
    c.low(i) = limits.rows[static_cast<size_t>(at.row)].low;
    c.high(i++) = limits.rows[static_cast<size_t>(at.row)].high;
  }
}

Limits all_signals(const Sizes& s, double u, double x) {
  Limits limits;
  for (Index i = 0; i < s.n_u; ++i)
    limits.rows.push_back({"u", Vector::Zero(s.n_x), Vector::Unit(s.n_u, i), -u, u, 0, s.T - 1});
  for (Index i = 0; i < s.n_x; ++i)
    limits.rows.push_back({"x", Vector::Unit(s.n_x, i), Vector::Zero(s.n_u), -x, x, 1, s.T});
  return limits;
}

// docs/theory/limits-robust.md: three states, T = 29, disturbances of at most 1.
RobustCase known_case(Index T, double u, double x) {
  System system = double_integrator();
  Matrix A(3, 3), B(3, 2);
  A << .7, .2, 0, .3, .7, -.1, 0, -.2, .8;
  B << 1, .2, 2, .3, 1.5, .5;
  system.plant.A = {0.55 * A};
  system.plant.B = {B};
  system.plant.T = T;
  system.cost.Q = {Matrix::Identity(3, 3)};
  system.cost.R = {Matrix::Identity(2, 2)};
  system.cost.P = Matrix::Identity(3, 3);
  RobustCase c;
  c.space = make_response_space(system, {});
  set_limits(c, all_signals(system.sizes(), u, x));
  c.set = {"box", Vector::Ones(3)};
  c.Sigma = Matrix::Identity(system.sizes().d_w(), system.sizes().d_w());
  return c;
}

TEST(Robust, KnownOptimum) {
  const LimitedMinimizer best = known_case(29, 1, 2).solve();
  EXPECT_TRUE(best.feasible);
  EXPECT_NEAR(best.cost, 104.3466929, 1e-6);
  EXPECT_LE(best.cost - best.lower, 1e-9 * best.cost);
  EXPECT_NEAR(known_case(29, 10, 20).solve().cost, 103.5360882, 1e-6);  // free
}

// Everything from a seed: shape, set, colour, which rows, and limits below what the free optimum
// reaches.
RobustCase random_case(std::uint64_t seed) {
  const Shape shape = random_shape(seed);
  const System system = random_system(shape, seed);
  const Sizes s = system.sizes();
  RobustCase c;
  c.space = make_response_space(system, {.affine = seed % 3 == 0});
  const bool constant = c.space.coordinates.pattern.constant;
  c.Sigma = moment_matrix(sample_moments(random_disturbances(s, 3 * s.d_w() + 20, seed)), constant);
  const char* shapes[] = {"box", "steps", "radius"};
  c.set.shape = shapes[seed % 3];
  const Vector numbers = random_matrix(64, 1, seed + 7).cwiseAbs();
  c.set.size = c.set.shape == "box" ? Vector(numbers.head(s.n_w).array() + 0.2)
                                    : Vector::Constant(1, 0.5 + numbers(0));
  if (seed % 5 == 0 && c.set.shape == "box") c.set.size(0) = 0;
  Limits limits = all_signals(s, 1, 1);
  if (seed % 2 == 0) limits.rows[0].low = -INFINITY;
  set_limits(c, limits);
  // Limits at a share of what the free optimum reaches, row by row.
  const Matrix Z =
      LimitedMinimizer(minimize_robustly(c.space.cost, c.rows, Vector::Constant(c.low.size(), -1e9),
                                         Vector::Constant(c.low.size(), 1e9), c.set, c.Sigma))
          .Z;
  const Vector reach = c.over(Z) + c.high;  // where low = -high
  Index i = 0;
  for (const LimitAt& at : limits_at_steps(limits)) {
    const double share = 0.75 + 0.2 * std::min(1.0, numbers(10 + at.row));
    const double limit = share * std::max(std::abs(reach(i)), 1e-3);
    const bool both = std::isfinite(c.low(i));
    c.high(i) = limit;
    c.low(i++) = both ? -limit * 1.1 : -INFINITY;
  }
  return c;
}

class RandomRobust : public ::testing::TestWithParam<int> {
 protected:
  RobustCase c = random_case(test_seed(static_cast<std::uint64_t>(GetParam())));
};

void expect_proved(const LimitedMinimizer& best, double gap = 1e-8) {
  EXPECT_GE(best.cost, best.lower);
  EXPECT_LE(best.cost - best.lower, gap * std::abs(best.cost));
}

TEST_P(RandomRobust, KeepsLimitsAndProvesItsCost) {
  const LimitedMinimizer best = c.solve();
  const Vector over = c.over(best.Z);
  if (!best.feasible) {
    EXPECT_GT(best.excess, 0);
    EXPECT_GT(over(best.worst), 0);
    return;
  }
  EXPECT_LE(over.maxCoeff(), 1e-12 * c.high.maxCoeff());
  EXPECT_NEAR(best.cost, risk(c.space.cost, c.Sigma, best.Z), 1e-9 * std::abs(best.cost));
  expect_proved(best);
  EXPECT_GE(best.price.minCoeff(), 0);
  // Complementary: what is paid for is used up.
  EXPECT_GE(best.price.dot(over), -1e-7 * std::abs(best.cost));
}

// cost(limits) is convex: its fall lies between the prices before and after, per unit.
TEST_P(RandomRobust, PricesAreSlopes) {
  const LimitedMinimizer tight = c.solve();
  if (!tight.feasible) return;
  RobustCase wider = c;
  const double step = 0.01 * c.high.minCoeff();
  wider.high.array() += step;
  wider.low.array() -= step;
  const LimitedMinimizer wide = wider.solve();
  ASSERT_TRUE(wide.feasible);
  const double noise = 2e-8 * std::abs(tight.cost);
  EXPECT_LE(tight.cost - wide.cost, step * tight.price.sum() + noise);
  EXPECT_GE(tight.cost - wide.cost, step * wide.price.sum() - noise);
}

TEST_P(RandomRobust, OtherUnitsSameAnswer) {
  const LimitedMinimizer best = c.solve();
  RobustCase other = c;  // disturbances in thousandths, rows in millions, money in cents
  other.set.size *= 1e3;
  const bool constant = c.space.coordinates.pattern.constant;
  const Index d_w = c.space.coordinates.pattern.sizes.d_w();
  Vector unit = Vector::Constant(c.Sigma.rows(), 1e3);
  if (constant) unit(0) = 1;
  other.Sigma = unit.asDiagonal() * c.Sigma * unit.asDiagonal();
  other.space.cost.N_0 = c.space.cost.N_0 * unit.cwiseInverse().asDiagonal() * 100;
  other.space.cost.K_0 =
      100 * unit.cwiseInverse().asDiagonal() * c.space.cost.K_0 * unit.cwiseInverse().asDiagonal();
  other.space.cost.P *= 100;
  other.rows.p *= 1e-6;
  other.rows.a = 1e-6 * c.rows.a * unit.cwiseInverse().asDiagonal();
  other.high *= 1e-6;
  other.low *= 1e-6;
  ASSERT_EQ(d_w + (constant ? 1 : 0), unit.size());
  const LimitedMinimizer same = other.solve();
  EXPECT_EQ(best.feasible, same.feasible);
  if (best.feasible) {
    EXPECT_NEAR(same.cost, 100 * best.cost, 2e-6 * std::abs(best.cost));
  } else {
    EXPECT_NEAR(same.excess, best.excess, 1e-5 * (1 + best.excess));
  }
}

// Limits a tenth as wide, and wider again by the excess that they need: a little more can be kept,
// a little less cannot.
TEST_P(RandomRobust, BarelyFeasible) {
  const auto widened = [&](double narrow, double excess) {
    RobustCase other = c;
    for (Index i = 0; i < c.low.size(); ++i) {
      const bool both = std::isfinite(c.low(i));
      const double unit = (both ? 0.5 * (c.high(i) - c.low(i)) : c.high(i)) * narrow;
      other.high(i) = narrow * c.high(i) + excess * unit;
      if (both) other.low(i) = narrow * c.low(i) - excess * unit;
    }
    return other;
  };
  const LimitedMinimizer none = widened(0.1, 0).solve();
  if (none.feasible) return expect_proved(none);
  EXPECT_FALSE(widened(0.1, none.excess - 1e-4 * (1 + none.excess)).solve().feasible);
  const RobustCase barely = widened(0.1, none.excess + 1e-4 * (1 + none.excess));
  const LimitedMinimizer best = barely.solve();
  ASSERT_TRUE(best.feasible);
  EXPECT_LE(barely.over(best.Z).maxCoeff(), 1e-12 * barely.high.maxCoeff());
  expect_proved(best, 1e-6);  // prices are so large here that rounding costs digits
}

INSTANTIATE_TEST_SUITE_P(Random, RandomRobust, ::testing::Range(1, 13));

// Wider by the excess they can be kept, by less they cannot.
TEST(Robust, InfeasibleLimitsHaveASmallestExcess) {
  const RobustCase narrow = known_case(5, 0.3, 1.3);
  const LimitedMinimizer none = narrow.solve();
  ASSERT_FALSE(none.feasible);
  const Vector size = narrow.over(none.Z) + narrow.high;
  EXPECT_NEAR(size(none.worst), narrow.high(none.worst) * (1 + none.excess), 1e-9);
  EXPECT_NEAR(size.cwiseQuotient(narrow.high).maxCoeff(), 1 + none.excess, 1e-9);
  const auto at = [&](double factor) {
    return known_case(5, 0.3 * factor, 1.3 * factor).solve().feasible;
  };
  EXPECT_TRUE(at(1 + none.excess + 1e-3));
  EXPECT_FALSE(at(1 + none.excess - 1e-2));
}

// A row that no input changes decides alone.
TEST(Robust, RowsThatNobodyCanChange) {
  RobustCase c = known_case(4, 10, 20);
  Limits limits = all_signals(c.space.coordinates.pattern.sizes, 10, 20);
  limits.rows.push_back({"start", Vector::Unit(3, 0), Vector::Zero(2), -0.8, 0.8, 0, 0});
  set_limits(c, limits);
  const LimitedMinimizer none = c.solve();
  EXPECT_FALSE(none.feasible);
  EXPECT_EQ(none.worst, limits.count() - 1);
  EXPECT_NEAR(none.excess, 0.25, 1e-9);
}

// Few trajectories: the moment is singular and gets a floor.
TEST(Robust, SingularMoment) {
  RobustCase c = known_case(6, 0.8, 2);
  const Matrix W = random_matrix(c.Sigma.rows(), 4, test_seed(3));
  c.Sigma = W * W.transpose() / 4;
  const LimitedMinimizer best = c.solve();
  if (!best.feasible) return;
  EXPECT_LE(c.over(best.Z).maxCoeff(), 0);
  EXPECT_LE(best.cost - best.lower, 1e-9 * best.cost);
  EXPECT_GE(best.cost, risk(c.space.cost, c.Sigma, best.Z));
}

}  // namespace
}  // namespace loopcert::testing
