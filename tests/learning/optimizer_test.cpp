#include "learning/optimizer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace loopcert {
namespace {

double rosenbrock(const Vector& x, Vector& g) {
  double value = 0;
  g.setZero(x.size());
  for (Index i = 0; i + 1 < x.size(); ++i) {
    const double a = x(i + 1) - x(i) * x(i), b = 1 - x(i);
    value += 100 * a * a + b * b;
    g(i) += -400 * a * x(i) - 2 * b;
    g(i + 1) += 200 * a;
  }
  return value;
}

TEST(Optimizer, SolvesRosenbrock) {
  for (const Index n : {2, 50}) {
    const Minimum m = minimize(rosenbrock, Vector::Constant(n, -1.2), {});
    EXPECT_EQ(m.status, SolverStatus::converged);
    EXPECT_LT((m.x - Vector::Ones(n)).norm(), 1e-4);
  }
}

TEST(Optimizer, SolvesAnIllConditionedQuadratic) {
  const Index n = 200;
  const Vector h = Vector::LinSpaced(n, -2, 2).unaryExpr([](double e) { return std::pow(10, e); });
  const auto quadratic = [&](const Vector& x, Vector& g) {
    g = h.cwiseProduct(x);
    return 0.5 * x.dot(g) + 7;
  };
  OptimizerOptions options;
  options.gradient_tolerance = 1e-10;
  const Minimum m = minimize(quadratic, Vector::Ones(n), options);
  EXPECT_EQ(m.status, SolverStatus::converged);
  EXPECT_NEAR(m.value, 7, 1e-12);
}

TEST(Optimizer, StepsBackFromWhereTheFunctionIsNotDefined) {
  const auto barrier = [](const Vector& x, Vector& g) {
    if (x(0) <= 0) return std::numeric_limits<double>::infinity();
    g = Vector::Constant(1, 1 - 1 / x(0));
    return x(0) - std::log(x(0));
  };
  const Minimum m = minimize(barrier, Vector::Constant(1, 40.0), {});
  EXPECT_EQ(m.status, SolverStatus::converged);
  EXPECT_NEAR(m.x(0), 1, 1e-5);
}

TEST(Optimizer, RespectsItsLimits) {
  OptimizerOptions options;
  options.max_iterations = 4;
  const Minimum m = minimize(rosenbrock, Vector::Constant(10, -1.2), options);
  EXPECT_EQ(m.status, SolverStatus::iteration_limit);
  EXPECT_EQ(m.iterations, 4);
}

// A slope that does not belong to the value: the search must end, not run for ever.
TEST(Optimizer, KeepsTheBestPointWhenTheGradientGoesWrongOnTheWay) {
  const Vector h = Vector::LinSpaced(20, 1, 100);
  const auto misleading = [&](const Vector& x, Vector& g) {
    g = h.cwiseProduct(x);
    const double value = 0.5 * x.dot(g);
    if (value < 10) g = -g;
    return value;
  };
  const Minimum m = minimize(misleading, Vector::Ones(20), {});
  EXPECT_EQ(m.status, SolverStatus::stalled);
  EXPECT_GT(m.iterations, 1);
  EXPECT_LT(m.value, 10);
}

TEST(Optimizer, NamesWhatEndedIt) {
  EXPECT_EQ(solver_status_name(SolverStatus::converged), "converged");
  EXPECT_EQ(solver_status_name(SolverStatus::iteration_limit), "iteration limit");
  EXPECT_EQ(solver_status_name(SolverStatus::interrupted), "interrupted");
  EXPECT_EQ(solver_status_name(SolverStatus::stalled), "stalled");
}

TEST(Optimizer, GivesUpOnAWrongGradient) {
  const auto wrong = [](const Vector& x, Vector& g) {
    g = -2 * x;
    return x.squaredNorm();
  };
  const Minimum m = minimize(wrong, Vector::Ones(3), {});
  EXPECT_EQ(m.status, SolverStatus::stalled);
}

}  // namespace
}  // namespace loopcert
