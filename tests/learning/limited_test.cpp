#include "learning/limited_shares.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "data/moments.hpp"
#include "learning/minimizers.hpp"
#include "random_system.hpp"
#include "risk/risk.hpp"
#include "seed.hpp"

namespace loopcert::testing {
namespace {

Limits input_limit(const System& system, double h) {
  const Sizes s = system.sizes();
  Limits limits;
  for (Index i = 0; i < s.n_u; ++i)
    limits.rows.push_back(
        {"u" + std::to_string(i), Vector::Zero(s.n_x), Vector::Unit(s.n_u, i), -h, h, 0, s.T - 1});
  limits.each = true;
  return limits;
}

// Deviations of the rows, from the definition.
Vector deviations(const Limits& limits, const System& system, const Coordinates& c, const Matrix& Z,
                  const Matrix& Sigma) {
  const RowResponses rows = row_responses(limits, system.sizes(), response_at(system, c, Z));
  return (rows.a * Sigma).cwiseProduct(rows.a).rowwise().sum().cwiseSqrt();
}

TEST(Limited, PaperPlantUnderAnInputLimit) {
  const System system = double_integrator();
  const ResponseSpace space = make_response_space(system, around_lqr(false));
  const Matrix Sigma = 0.1 * Matrix::Identity(22, 22);
  const std::pair<double, double> expected[] = {
      {0.9, 3.1176388}, {0.8, 3.1270825}, {0.7, 3.2674585}};
  for (const auto& [h, cost] : expected) {
    const LimitedMinimizer found = design_under_limits(space, input_limit(system, h), {Sigma}, 1);
    EXPECT_TRUE(found.feasible);
    EXPECT_NEAR(found.cost, cost, 1e-7);
    EXPECT_LE(found.cost - found.lower, 1e-9 * cost);
  }
}

// The law of examples/assumptions/coloured.toml.
TEST(Limited, ColouredExampleUnderAnInputLimit) {
  const System system = double_integrator();
  const ResponseSpace space = make_response_space(system, around_lqr(false));
  const Matrix Sigma = ar1_covariance(system.sizes(), 0.8, 0.1);
  const std::pair<double, double> expected[] = {
      {9, 2.6586656}, {1, 2.7266048}, {0.9, 2.8606503}, {0.8, 3.4760047}};
  for (const auto& [h, cost] : expected)
    EXPECT_NEAR(design_under_limits(space, input_limit(system, h), {Sigma}, 1).cost, cost, 1e-6);
}

class LimitedProperties : public ::testing::TestWithParam<int> {};

// Optimal without asking the solver: the gradient of the Lagrangian with the prices vanishes, what
// has a price is at its limit, and nothing is beyond.
TEST_P(LimitedProperties, Optimality) {
  const auto seed = test_seed(static_cast<std::uint64_t>(GetParam()));
  Shape shape = random_shape(seed);
  shape.offset = shape.singular_Q = false;  // every input matters
  const System system = random_system(shape, seed);
  const Sizes s = system.sizes();
  const ResponseSpace space = make_response_space(system, {});
  const Matrix root = random_matrix(s.d_w(), 2 * s.d_w(), seed + 1);
  const Matrix Sigma = root * root.transpose() / static_cast<double>(s.d_w());
  Limits limits = input_limit(system, 1);
  limits.each = true;
  // The largest input of the free optimum, a third less.
  const Matrix Z_free = minimize_risk(space.cost, Sigma).Z;
  const Vector free = deviations(limits, system, space.coordinates, Z_free, Sigma);
  const double h = largest_deviation(-1, 1, 0, 0.05);
  for (LimitRow& row : limits.rows) {
    row.high = free.maxCoeff() / h * 2 / 3;
    row.low = -row.high;
  }
  const LimitedMinimizer found = design_under_limits(space, limits, {Sigma}, 1);
  ASSERT_TRUE(found.feasible);
  EXPECT_NEAR(found.cost, risk(space.cost, Sigma, found.Z), 1e-9 * found.cost);
  EXPECT_LE(found.cost - found.lower, 2e-9 * found.cost);
  const double r = largest_deviation(limits.rows[0].low, limits.rows[0].high, 0, 0.05);
  const Vector sizes = deviations(limits, system, space.coordinates, found.Z, Sigma);
  EXPECT_LE(sizes.maxCoeff(), r * (1 + 1e-6));
  const RowCoordinates rows = row_coordinates(limits, space.coordinates);
  Matrix gradient = risk_gradient(space.cost, Sigma, found.Z);
  const Matrix a = rows.a + rows.p * found.Z;
  Matrix pull = Matrix::Zero(gradient.rows(), gradient.cols());
  for (Index c = 0; c < a.rows(); ++c) {
    const double lambda = found.price(c) / (2 * r * r);
    pull += 2 * lambda * rows.p.row(c).transpose() * (a.row(c) * Sigma);
    EXPECT_LE(found.price(c) * (1 - sizes(c) / r), 1e-6 * found.cost);
  }
  project_causal(space.coordinates.pattern, pull);
  EXPECT_LE((gradient + pull).norm(), 1e-5 * (pull.norm() + 1e-9));
  // The price is what a little more room saves.
  const double step = 1e-4;
  for (LimitRow& row : limits.rows) {
    row.high *= 1 + step;
    row.low *= 1 + step;
  }
  const double wider = design_under_limits(space, limits, {Sigma}, 1).cost;
  EXPECT_NEAR((found.cost - wider) / step, found.price.sum(), 0.02 * found.price.sum());
}

// Ridge has no causal factorization: the same numbers by its conjugate gradients.
TEST_P(LimitedProperties, RidgeAndCentre) {
  const auto seed = test_seed(100 + static_cast<std::uint64_t>(GetParam()));
  const System system = random_system({2, 1, 5}, seed);
  const Sizes s = system.sizes();
  const ResponseSpace space = make_response_space(system, {});
  const Matrix root = random_matrix(s.d_w(), 2 * s.d_w(), seed + 1);
  const Matrix Sigma = root * root.transpose() / static_cast<double>(s.d_w());
  const double gamma = 0.3;
  const Matrix Z = ridge(space.cost, Sigma, gamma).Z;
  Limits limits = input_limit(system, 1);
  const double wide = 100 * deviations(limits, system, space.coordinates, Z, Sigma).maxCoeff();
  limits.rows[0].high = wide;
  limits.rows[0].low = -wide;
  const LimitedMinimizer free = design_under_limits(space, limits, {Sigma, gamma}, 1);
  EXPECT_LE((free.Z - Z).norm(), 1e-7 * Z.norm());
  limits.rows[0].high = wide / 100;
  limits.rows[0].low = -wide / 100;
  const LimitedMinimizer found = design_under_limits(space, limits, {Sigma, gamma}, 1);
  const double r = largest_deviation(-wide / 100, wide / 100, 0, 0.05);
  EXPECT_LE(deviations(limits, system, space.coordinates, found.Z, Sigma).maxCoeff(),
            r * (1 + 1e-5));
  // A centre that keeps its limits stays where it is.
  const LimitedMinimizer kept =
      design_under_limits(space, limits, {Sigma, gamma, found.Z * 0.5}, 1e-3);
  EXPECT_LE((kept.Z - found.Z * 0.5).norm(), 1e-7 * found.Z.norm());
}

// Units of states, inputs and costs do not matter.
TEST_P(LimitedProperties, Units) {
  const auto seed = test_seed(200 + static_cast<std::uint64_t>(GetParam()));
  const System system = random_system({2, 2, 6}, seed);
  const Sizes s = system.sizes();
  const Matrix root = random_matrix(s.d_w(), 2 * s.d_w(), seed + 1);
  const Matrix Sigma = root * root.transpose() / static_cast<double>(s.d_w());
  Limits limits = input_limit(system, 1);
  const ResponseSpace space = make_response_space(system, around_lqr(false));
  const Vector free =
      deviations(limits, system, space.coordinates, minimize_risk(space.cost, Sigma).Z, Sigma);
  for (LimitRow& row : limits.rows) {
    row.high = 1.6 * free.maxCoeff();
    row.low = -row.high;
  }
  const double cost = design_under_limits(space, limits, {Sigma}, 1).cost;
  const double x = 1e4, u = 1e-3, k = 1e5;
  System other = system;
  for (Matrix& B : other.plant.B) B *= x / u;
  for (Matrix& Q : other.cost.Q) Q *= k / (x * x);
  for (Matrix& R : other.cost.R) R *= k / (u * u);
  other.cost.P *= k / (x * x);
  for (LimitRow& row : limits.rows) {
    row.high *= u;
    row.low *= u;
  }
  const ResponseSpace scaled = make_response_space(other, around_lqr(false));
  EXPECT_NEAR(design_under_limits(scaled, limits, {x * x * Sigma}, 1).cost, k * cost,
              1e-6 * k * cost);
}

// An affine response on a plant with an offset: limits narrower than what the free optimum needs,
// from data with a mean. The conditions of the optimum, in all columns, without the solver.
TEST_P(LimitedProperties, FeedforwardIsChosenForTheLimits) {
  const auto seed = test_seed(300 + static_cast<std::uint64_t>(GetParam()));
  const System system = random_system({2, 2, 5, false, true}, seed);
  const Sizes s = system.sizes();
  const ResponseSpace space = make_response_space(system, {.affine = true});
  const Matrix moment =
      moment_matrix(sample_moments(random_disturbances(s, 3 * s.d_w(), seed)), true);
  const Matrix Sigma = moment.bottomRightCorner(s.d_w(), s.d_w()) -
                       moment.col(0).tail(s.d_w()) * moment.row(0).tail(s.d_w());
  Limits limits = input_limit(system, 1);
  limits.rows[0].low = -INFINITY;
  const auto rows_at = [&](const Matrix& Z) {
    return row_responses(limits, s, response_at(system, space.coordinates, Z));
  };
  const auto means = [&](const RowResponses& r) -> Vector {
    return r.m + r.a * moment.col(0).tail(s.d_w());
  };
  const auto sizes = [&](const RowResponses& r) -> Vector {
    return (r.a * Sigma).cwiseProduct(r.a).rowwise().sum().cwiseSqrt();
  };
  const RowResponses free = rows_at(minimize_risk(space.cost, moment).Z);
  // Where 5 % are exceeded, a bit less.
  const Vector deviation = sizes(free), middle = means(free);
  for (Index i = 0; i < 2; ++i) {
    const auto steps = [&](const Vector& v) { return v.segment(i * s.T, s.T); };
    const double reach = (steps(middle) + 1.5 * steps(deviation)).maxCoeff();
    LimitRow& row = limits.rows[static_cast<size_t>(i)];
    row.high = reach;
    if (i == 1) row.low = std::min(reach - 4.5 * deviation.maxCoeff(), -0.1);
  }
  const LimitedMinimizer found = design_under_limits(space, limits, {moment}, 1);
  ASSERT_TRUE(found.feasible);
  EXPECT_NEAR(found.cost, risk(space.cost, moment, found.Z), 1e-9 * found.cost);
  EXPECT_GE(found.cost, found.lower * (1 - 1e-12));
  EXPECT_LE(found.cost - found.lower, 1e-8 * found.cost);
  const RowResponses at = rows_at(found.Z);
  const Vector m = means(at), sigma = sizes(at);
  const RowCoordinates rows = row_coordinates(limits, space.coordinates);
  Matrix gradient = risk_gradient(space.cost, moment, found.Z), pull = 0 * gradient;
  Matrix centred = moment;  // second moment of (0, w - mean)
  centred.setZero();
  centred.bottomRightCorner(s.d_w(), s.d_w()) = Sigma;
  for (Index c = 0; c < m.size(); ++c) {
    EXPECT_LE(violation(at.low(c), at.high(c), m(c), sigma(c)), 0.05 * (1 + 1e-6));
    const bool both = std::isfinite(at.low(c));
    const double unit = both ? 0.5 * (at.high(c) - at.low(c)) : std::abs(at.high(c));
    const auto tau = [&](double mean, double excess) {
      return largest_deviation(at.low(c) - excess * unit, at.high(c) + excess * unit, mean, 0.05);
    };
    const double step = 1e-5 * unit;
    const double by_mean = (tau(m(c) + step, 0) - tau(m(c) - step, 0)) / (2 * step);
    const double by_excess = (tau(m(c), 1e-5) - tau(m(c), -1e-5)) / 2e-5;
    const double lambda = found.price(c) / by_excess;
    if (sigma(c) < 1e-4 * unit) return;  // a norm at zero has no gradient
    EXPECT_GE(lambda, 0);
    EXPECT_LE(lambda * (tau(m(c), 0) - sigma(c)), 1e-6 * found.cost);
    const Matrix a = rows.a.row(c) + rows.p.row(c) * found.Z;
    pull +=
        lambda * rows.p.row(c).transpose() * (a * centred / tau(m(c), 0) - by_mean * moment.row(0));
  }
  project_causal(space.coordinates.pattern, pull);
  EXPECT_GT(pull.norm(), 0);
  EXPECT_LE((gradient + pull).norm(), 1e-4 * std::max(1.0, pull.norm()));
}

// A feedforward that is fixed and beyond the limits by itself.
TEST(Limited, FixedFeedforwardNamesTheExcess) {
  System system = double_integrator();
  system.plant.d = Vector{{0, 0.4}}.replicate(1, 10);
  const ResponseSpace fixed = make_response_space(system, around_lqr(false));
  const ResponseSpace affine = make_response_space(system, around_lqr(true));
  Matrix moment = 0.001 * Matrix::Identity(23, 23);
  moment(0, 0) = 1;
  const Response lqr = response_at(system, fixed.coordinates, Matrix::Zero(10, 23));
  const double h = 0.9 * lqr.phi_u.cwiseAbs().maxCoeff();
  const Limits limits = input_limit(system, h);
  const LimitedMinimizer found = design_under_limits(affine, limits, {moment}, 1);
  EXPECT_TRUE(found.feasible);
  // Inputs that end without deviation take more steps than it may.
  EXPECT_LE(found.cost - found.lower, 1e-6 * found.cost);
  const LimitedMinimizer none = design_under_limits(fixed, limits, {moment}, 1);
  ASSERT_FALSE(none.feasible);
  // Wider by the excess, and by a little less.
  EXPECT_TRUE(
      design_under_limits(fixed, input_limit(system, h * (1 + none.excess + 1e-3)), {moment}, 1)
          .feasible);
  EXPECT_FALSE(
      design_under_limits(fixed, input_limit(system, h * (1 + none.excess - 1e-3)), {moment}, 1)
          .feasible);
}

INSTANTIATE_TEST_SUITE_P(Seeds, LimitedProperties, ::testing::Range(0, 8));

// x_1 = x_0 + w_0 of a plant without inputs on it: no controller changes its deviation.
TEST(Limited, InfeasibleLimitsNameTheRow) {
  System system = double_integrator();
  system.plant.B = {(Matrix(2, 1) << 0, 1).finished()};
  const ResponseSpace space = make_response_space(system, around_lqr(false));
  const Matrix Sigma = 0.1 * Matrix::Identity(22, 22);
  Limits limits = input_limit(system, 5);
  limits.rows.push_back({"x0", Vector::Unit(2, 0), Vector::Zero(1), -1, 1, 1, 1});
  const double sigma = std::sqrt(0.3);  // x_0 + speed + w
  const double allowed = largest_deviation(-1, 1, 0, limits.probability);
  const LimitedMinimizer found = design_under_limits(space, limits, {Sigma}, 1);
  EXPECT_FALSE(found.feasible);
  EXPECT_EQ(found.worst, 10);
  EXPECT_NEAR(1 + found.excess, sigma / allowed, 1e-3);
}

// Inputs, and a position at step 1 that no input moves: nearly three in a hundred episodes break
// it, which is more than an equal share of 5 % for each of 11 rows, and less than all of it.
TEST(Limited, SharesByNeed) {
  System system = double_integrator();
  system.plant.B = {(Matrix(2, 1) << 0, 1).finished()};
  const ResponseSpace space = make_response_space(system, around_lqr(false));
  const Matrix Sigma = 0.1 * Matrix::Identity(22, 22);
  Limits limits = input_limit(system, 1);
  const Vector free =
      deviations(limits, system, space.coordinates, minimize_risk(space.cost, Sigma).Z, Sigma);
  limits.rows = input_limit(system, 2.4 * free.maxCoeff()).rows;
  const double sigma = std::sqrt(0.3);  // x_0 + speed + w
  limits.rows.push_back(
      {"x0", Vector::Unit(2, 0), Vector::Zero(1), -2.2 * sigma, 2.2 * sigma, 1, 1});
  limits.each = false;
  EXPECT_FALSE(design_under_limits(space, limits, {Sigma}, 1).feasible);
  const LimitedMinimizer found = design_by_need(space, limits, {Sigma}, 1);
  ASSERT_TRUE(found.feasible);
  const RowResponses rows =
      row_responses(limits, system.sizes(), response_at(system, space.coordinates, found.Z));
  const Vector size = deviations(limits, system, space.coordinates, found.Z, Sigma);
  double sum = 0;
  for (Index c = 0; c < size.size(); ++c) sum += std::erfc(rows.high(c) / size(c) / std::sqrt(2.0));
  EXPECT_LE(sum, limits.probability * (1 + 1e-6));
  EXPECT_GT(sum, 0.8 * limits.probability);  // and little of it is left
  EXPECT_NEAR(found.cost, risk(space.cost, Sigma, found.Z), 1e-9 * found.cost);
  EXPECT_LE(found.cost - found.lower, 1e-8 * found.cost);
  EXPECT_LE(found.price(10), 1e-5 * found.cost) << "no input moves it";
  // Shares that anybody would think of: what the position needs, and the rest alike.
  const double needed = 1.01 * std::erfc(2.2 / std::sqrt(2.0));
  Vector shares = Vector::Constant(11, (limits.probability - needed) / 10);
  shares(10) = needed;
  const LimitedMinimizer plain = design_with_shares(space, limits, shares, {Sigma}, 1);
  ASSERT_TRUE(plain.feasible);
  EXPECT_GT(plain.cost, risk(space.cost, Sigma, minimize_risk(space.cost, Sigma).Z) * (1 + 1e-6));
  EXPECT_LE(found.cost, plain.cost);
}

// Equal shares that are wide enough stay, and one row that breaks the probability alone is not
// helped by any.
TEST(Limited, SharesThatStayEqual) {
  const System system = double_integrator();
  const ResponseSpace space = make_response_space(system, around_lqr(false));
  const Matrix Sigma = 0.1 * Matrix::Identity(22, 22);
  Limits limits = input_limit(system, 1);
  limits.each = false;
  const LimitedMinimizer equal = design_under_limits(space, limits, {Sigma}, 1);
  ASSERT_TRUE(equal.feasible);
  EXPECT_EQ(design_by_need(space, limits, {Sigma}, 1).Z, equal.Z);
  limits.rows.push_back({"x0", Vector::Unit(2, 0), Vector::Zero(1), -0.1, 0.1, 1, 1});
  const LimitedMinimizer none = design_by_need(space, limits, {Sigma}, 1);
  EXPECT_FALSE(none.feasible);
  EXPECT_GT(none.violation, limits.probability);
}

// 1e300 for "no limit" is none, beside limits that matter; next to nothing is a result, too.
TEST(Limited, NumbersAtTheEndsOfDoubles) {
  const System system = double_integrator();
  const ResponseSpace space = make_response_space(system, around_lqr(false));
  const Matrix Sigma = 0.1 * Matrix::Identity(22, 22);
  Limits limits = input_limit(system, 0.8);
  const double cost = design_under_limits(space, limits, {Sigma}, 1).cost;
  for (const double huge : {1e30, 1e160, 1e300, 1.7e308}) {
    limits.rows.push_back({"x0", Vector::Unit(2, 0), Vector::Zero(1), -huge, huge, 1, 10});
    const LimitedMinimizer found = design_under_limits(space, limits, {Sigma}, 1);
    EXPECT_TRUE(found.feasible) << huge;
    EXPECT_NEAR(found.cost, cost, 1e-7 * cost) << huge;
    EXPECT_LE(found.cost - found.lower, 1e-8 * cost) << huge;
    limits.rows.pop_back();
  }
  for (const double tiny : {1e-30, 1e-160, 5e-324}) {
    const LimitedMinimizer found =
        design_under_limits(space, input_limit(system, tiny), {Sigma}, 1);
    EXPECT_TRUE(std::isfinite(found.cost) && found.Z.allFinite() && found.price.allFinite())
        << tiny;
    EXPECT_TRUE(std::isfinite(found.excess) && std::isfinite(found.violation)) << tiny;
  }
}

}  // namespace
}  // namespace loopcert::testing
