// What certificates of limits say, computed a second time from the trajectories one by one.
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <cmath>

#include "certificate/limits.hpp"
#include "input_error.hpp"
#include "random_system.hpp"
#include "response/lqr.hpp"
#include "seed.hpp"

namespace loopcert::testing {
namespace {

constexpr double inf = INFINITY;

double beyond(double x) { return cdf(complement(boost::math::normal(), x)); }

// The chi-square of m degrees over m that is smaller with this probability.
double below(Index m, double probability) {
  const auto n = static_cast<double>(m);
  return std::min(1.0, quantile(boost::math::chi_squared(n), probability) / n);
}

// A plant with an offset, whose rows have one end or two, at other distances from their means.
Problem offset_problem() {
  Problem problem;
  problem.system = double_integrator();
  problem.system.plant.d = Matrix::Constant(2, 10, 0.05);
  Limits limits;
  limits.delta = 0.2;
  limits.rows = {{"u0", Vector::Zero(2), Vector::Ones(1), -1.6, 1.3, 0, 4},
                 {"x0", Vector::Unit(2, 0), Vector::Zero(1), -inf, 4.5, 2, 5},
                 {"x1", Vector::Unit(2, 1), Vector::Zero(1), -1.9, inf, 10, 10}};
  problem.limits = limits;
  problem.certificate.folds = 2;
  return problem;
}

Law white_law(double mean = 0) { return {mean * Vector::Ones(22), 0.1 * Matrix::Identity(22, 22)}; }

Response scaled(const Problem& problem, double gain) {
  const Response lqr = lqr_response(problem.system);
  return complete_response(problem.system, gain * lqr.Phi_u, gain * lqr.phi_u);
}

// Values of every row (C) in every episode, from states and inputs.
Matrix values_of(const Problem& problem, const Response& r, const Matrix& w) {
  const Limits& limits = *problem.limits;
  Matrix values(limits.count(), w.rows());
  for (Index i = 0; i < w.rows(); ++i) {
    const Vector x = r.Phi_x * w.row(i).transpose() + r.phi_x;
    const Vector u = r.Phi_u * w.row(i).transpose() + r.phi_u;
    Index c = 0;
    for (const LimitRow& row : limits.rows)
      for (Index t = row.first; t <= row.last; ++t)
        values(c++, i) = row.x.dot(x.segment(2 * t, 2)) + (t < 10 ? row.u(0) * u(t) : 0.0);
  }
  return values;
}

RowResponses rows_of(const Problem& problem, const Response& response) {
  return row_responses(*problem.limits, problem.sizes(), response);
}

// P(outside) of rows with these means and deviations, together.
double together(const Limits& limits, const RowResponses& rows, const Vector& mean,
                const Vector& deviation) {
  double sum = 0, most = 0;
  for (Index c = 0; c < mean.size(); ++c) {
    double one = 0;
    if (std::isfinite(rows.high(c))) one += beyond((rows.high(c) - mean(c)) / deviation(c));
    if (std::isfinite(rows.low(c))) one += beyond((mean(c) - rows.low(c)) / deviation(c));
    sum += one;
    most = std::max(most, one);
  }
  return limits.each ? most : sum;
}

double value_of(const Problem& problem, const Deployment& deployment, const Disturbances& data) {
  return certify_limits(problem, deployment, data).certificate.value;
}

class LimitsValues : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override { problem.limits->each = GetParam(); }

  void expect(double said, double expected) {
    ASSERT_GT(expected, 1e-6);
    ASSERT_LT(expected, 0.9);
    EXPECT_NEAR(said, expected, 1e-8 * (1 + expected));
  }

  double C() const { return static_cast<double>(problem.limits->count()); }

  Problem problem = offset_problem();
};

TEST_P(LimitsValues, Tolerance) {
  problem.limits->kind = "limits-tolerance";
  const Response response = scaled(problem, 1);
  const RowResponses rows = rows_of(problem, response);
  const Disturbances data = sample_disturbances(white_law(), test_stream(950, 0), 150);
  const Matrix around = values_of(problem, response, data.w).colwise() - rows.m;
  const double q = below(150, problem.limits->delta / (GetParam() ? 1 : C()));
  const Vector deviation = (around.rowwise().squaredNorm() / 150 / q).cwiseSqrt();
  expect(value_of(problem, {UseOfData::fixed, {response}}, data),
         together(*problem.limits, rows, rows.m, deviation));
}

TEST_P(LimitsValues, ToleranceOfFolds) {
  problem.limits->kind = "limits-tolerance";
  const Deployment deployment{UseOfData::cross, {scaled(problem, 1), scaled(problem, 0.9)}};
  const Disturbances data = sample_disturbances(white_law(), test_stream(951, 0), 300);
  Vector deviation = Vector::Zero(problem.limits->count());
  for (size_t k = 0; k < 2; ++k) {
    const RowResponses own = rows_of(problem, deployment.responses[k]);
    Matrix fold(150, 22);
    for (Index i = 0; i < 150; ++i) fold.row(i) = data.w.row(2 * i + static_cast<Index>(k));
    const Matrix around = values_of(problem, deployment.responses[k], fold).colwise() - own.m;
    const double q = below(150, problem.limits->delta / 2 / C());
    deviation += 0.5 * (around.rowwise().squaredNorm() / 150 / q).cwiseSqrt();
  }
  const RowResponses rows = rows_of(problem, deployed_response(deployment));
  expect(value_of(problem, deployment, data), together(*problem.limits, rows, rows.m, deviation));
}

TEST_P(LimitsValues, ToleranceWithAnyMean) {
  problem.limits->kind = "limits-tolerance";
  problem.disturbance.zero_mean = false;
  const Response response = scaled(problem, 1);
  const RowResponses rows = rows_of(problem, response);
  const Index m = 100;
  const Disturbances data = sample_disturbances(white_law(0.05), test_stream(952, 0), m);
  const Matrix values = values_of(problem, response, data.w);
  const double each = problem.limits->delta / (GetParam() ? 2 : 2 * C());
  double sum = 0, most = 0;
  for (Index c = 0; c < values.rows(); ++c) {
    const double mean = values.row(c).mean();
    const double s = std::sqrt((values.row(c).array() - mean).square().sum() / 99);
    double one = 0;
    if (std::isfinite(rows.high(c))) one += normal_tail_bound((rows.high(c) - mean) / s, m, each);
    if (std::isfinite(rows.low(c))) one += normal_tail_bound((mean - rows.low(c)) / s, m, each);
    sum += one;
    most = std::max(most, one);
  }
  expect(value_of(problem, {UseOfData::fixed, {response}}, data), GetParam() ? most : sum);
}

TEST_P(LimitsValues, Count) {
  problem.limits->kind = "limits-count";
  const Response response = scaled(problem, 1.2);
  const RowResponses rows = rows_of(problem, response);
  const Disturbances data = sample_disturbances(white_law(), test_stream(953, 0), 400);
  const Matrix values = values_of(problem, response, data.w);
  Index any = 0;
  Eigen::VectorXi of_row = Eigen::VectorXi::Zero(static_cast<int>(values.rows()));
  for (Index i = 0; i < 400; ++i) {
    bool out = false;
    for (Index c = 0; c < values.rows(); ++c) {
      const bool broken = values(c, i) < rows.low(c) || values(c, i) > rows.high(c);
      of_row(c) += broken;
      out = out || broken;
    }
    any += out;
  }
  const Index failures = GetParam() ? of_row.maxCoeff() : any;
  ASSERT_GT(failures, 0);
  expect(value_of(problem, {UseOfData::fixed, {response}}, data),
         binomial_upper(failures, 400, problem.limits->delta));
}

INSTANTIATE_TEST_SUITE_P(Together, LimitsValues, ::testing::Bool());

// A row that never varies is inside, or outside.
TEST(Limits, ARowThatNeverVaries) {
  Problem problem = offset_problem();
  problem.limits->kind = "limits-tolerance";
  problem.disturbance.zero_mean = false;
  problem.limits->rows = {{"x0", Vector::Unit(2, 0), Vector::Zero(1), -inf, 1, 1, 1}};
  const Disturbances still{Matrix::Zero(5, 22)};
  const Response lqr = lqr_response(problem.system);
  EXPECT_EQ(value_of(problem, {UseOfData::fixed, {lqr}}, still), 0);
  problem.limits->rows[0].high = -1;
  EXPECT_EQ(value_of(problem, {UseOfData::fixed, {lqr}}, still), 1);
}

// Each kind says why not, and which envelope it took.
TEST(Limits, WhoLearnedFromAllHasNoneLeft) {
  Problem problem = offset_problem();
  const Response lqr = lqr_response(problem.system);
  const Disturbances data = sample_disturbances(white_law(), test_stream(954, 0), 60);
  for (const char* kind : {"limits-tolerance", "limits-count"}) {
    problem.limits->kind = kind;
    EXPECT_TRUE(contains(input_error([&] {
                           value_of(problem, {UseOfData::whole, {lqr}}, data);
                         }),
                         "all were learned from"))
        << kind;
  }
  problem.limits->kind = "limits-envelope";
  const auto envelope = [&] {
    return certify_limits(problem, {UseOfData::whole, {lqr}}, data)
        .certificate.events.at(0)
        .statement.id;
  };
  EXPECT_EQ(envelope(), "covariance-relative");
  problem.disturbance.white = true;
  EXPECT_EQ(envelope(), "covariance-white");
  problem.limits->kind = "limits-assumed";
  problem.disturbance.scale_bound = 0.1;
  problem.disturbance.zero_mean = false;
  EXPECT_TRUE(contains(input_error([&] {
                         value_of(problem, {UseOfData::fixed, {lqr}}, data);
                       }),
                       "mean"));
}

// Both sides of a row, the last step's own disturbance, and data that refute the set.
TEST(Limits, RobustRowsHaveTwoSides) {
  Problem problem = offset_problem();
  problem.limits->kind = "limits-robust";
  const Response lqr = lqr_response(problem.system);
  const Disturbances none{Matrix(0, 22)};
  for (const char* shape : {"box", "steps", "radius"}) {
    const bool box = shape == std::string("box");
    problem.limits->robust = BoundedSet{shape, Vector::Constant(box ? 2 : 1, 0.1)};
    problem.limits->rows = {{"x1", Vector::Unit(2, 1), Vector::Zero(1), -inf, inf, 10, 10}};
    const RowResponses rows = rows_of(problem, lqr);
    double reach = 0;  // from the definition, with w_9, which only x_10 answers to
    if (box) reach = 0.1 * rows.a.row(0).cwiseAbs().sum();
    if (shape == std::string("radius")) reach = 0.1 * rows.a.row(0).norm();
    for (Index t = 0; shape == std::string("steps") && t <= 10; ++t)
      reach += 0.1 * rows.a.row(0).segment(2 * t, 2).norm();
    LimitRow& row = problem.limits->rows[0];
    for (const double factor : {0.999, 1.001}) {
      row.low = -inf;
      row.high = rows.m(0) + factor * reach;
      EXPECT_EQ(value_of(problem, {UseOfData::fixed, {lqr}}, none), factor > 1 ? 0 : 1) << shape;
      row.high = inf;
      row.low = rows.m(0) - factor * reach;
      EXPECT_EQ(value_of(problem, {UseOfData::fixed, {lqr}}, none), factor > 1 ? 0 : 1) << shape;
    }
    Disturbances outside{Matrix::Zero(3, 22)};
    outside.w(1, 21) = 0.11;
    EXPECT_TRUE(contains(input_error([&] {
                           value_of(problem, {UseOfData::fixed, {lqr}}, outside);
                         }),
                         "trajectory 2"))
        << shape;
  }
}

// What taught the path does not test it, and it passes at its target, not near it.
TEST(Limits, APathIsTestedByTheRest) {
  Problem problem = offset_problem();
  problem.limits->kind = "limits-count";
  problem.limits->rows.resize(1);
  problem.certificate.fraction = 0.5;
  const Response lqr = lqr_response(problem.system);
  Disturbances data{Matrix::Zero(80, 22)};
  data.w.topRows(40).setConstant(5);  // the learning part breaks every limit
  const double none = binomial_upper(0, 40, problem.limits->delta);
  for (const auto& [target, passes] : {std::pair{none * 1.0001, true}, {none / 1.0001, false}}) {
    problem.limits->probability = target;
    const LimitsPath found = test_path(problem, {lqr, lqr}, data);
    EXPECT_EQ(found.passed, passes);
    EXPECT_EQ(found.place, passes ? 1u : 0u);
    EXPECT_EQ(found.bound.certificate.value, passes ? target : none);
    EXPECT_EQ(found.bound.certificate.n, 40);
  }
  // What comes after one that fails is not looked at, and would have passed.
  problem.limits->probability = none * 1.0001;
  Vector bold = lqr.phi_u;
  bold.array() += 1e3;
  const Response fails = complete_response(problem.system, lqr.Phi_u, bold);
  const LimitsPath found = test_path(problem, {lqr, fails, lqr}, data);
  EXPECT_TRUE(found.passed);
  EXPECT_EQ(found.place, 0u);
}

TEST(Limits, TheCostIsClaimedForEveryControllerOfAPath) {
  const Problem problem = offset_problem();
  Deployment deployment{UseOfData::hold_out, {lqr_response(problem.system)}};
  EXPECT_EQ(deployment.choices(), 1);
  deployment.path = deployment.responses;
  EXPECT_EQ(deployment.choices(), path_length);
}

}  // namespace
}  // namespace loopcert::testing
