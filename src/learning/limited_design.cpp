#include "learning/limited_design.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "learning/limited_mean.hpp"
#include "learning/limited_shares.hpp"
#include "learning/robust_limits.hpp"
#include "loopcert/core/error.hpp"
#include "risk/risk.hpp"

namespace loopcert {
namespace {

// Mean and second moment of w, of a moment that may begin with the constant.
struct Parts {
  Vector mean;
  Matrix second;
};

Parts parts_of(const CausalPattern& pattern, const Matrix& moment) {
  if (!pattern.constant) return {Vector::Zero(moment.rows()), moment};
  const Index d = moment.rows() - 1;
  return {moment.col(0).tail(d), moment.bottomRightCorner(d, d)};
}

Vector limits_of(const Limits& limits, double(LimitRow::*end)) {
  Vector ends(limits.count());
  Index c = 0;
  for (const LimitAt& at : limits_at_steps(limits))
    ends(c++) = limits.rows[static_cast<size_t>(at.row)].*end;
  return ends;
}

// The largest deviation of each row at its step that keeps its share, for values with mean zero.
Vector allowed_deviations(const Vector& low, const Vector& high, const Vector& shares) {
  Vector largest(low.size());
  for (Index c = 0; c < low.size(); ++c)
    largest(c) = largest_deviation(low(c), high(c), 0, shares(c));
  return largest;
}

// Deviations that are `size` times those allowed: what the row is broken with in its step, at
// least, whichever row it is.
double least_violation(const Vector& low, const Vector& high, const Vector& shares, double size) {
  const Vector allowed = allowed_deviations(low, high, shares);
  double smallest = 1;
  for (Index c = 0; c < low.size(); ++c)
    smallest = std::min(smallest, violation(low(c), high(c), 0, size * allowed(c)));
  return smallest;
}

// A row that zero does not keep allows nothing; the solver wants something.
constexpr double nothing = 1e-6;

Vector positive(const Limits& limits, Vector largest) {
  Index c = 0;
  for (const LimitAt& at : limits_at_steps(limits)) {
    const LimitRow& row = limits.rows[static_cast<size_t>(at.row)];
    const double size = std::max(std::isfinite(row.low) ? std::abs(row.low) : 0.0,
                                 std::isfinite(row.high) ? std::abs(row.high) : 0.0);
    largest(c) = std::max(largest(c), nothing * (size > 0 ? size : 1.0));
    if (!std::isfinite(largest(c))) largest(c) = 1e9 * (size > 0 ? size : 1.0);
    ++c;
  }
  return largest;
}

}  // namespace

std::string infeasible_words(const Limits& limits, const LimitedMinimizer& least) {
  const LimitAt at = limits_at_steps(limits)[static_cast<size_t>(least.worst)];
  const std::string all = limits.count() == 1 ? "it" : "all of them";
  const std::string shares =
      limits.robust || limits.each
          ? ""
          : " with an equal share of the probability for each, and no other shares were found";
  const std::string row = limits.rows[static_cast<size_t>(at.row)].name;
  if (!limits.robust && !least.at_least)
    return fmt::format(
        "limits: no controller keeps {}{}: they would have to be {:.3g} times as wide; of the "
        "controller that comes nearest '{}' at step {} is broken with a probability of {:.3g}",
        all, shares, 1 + least.excess, row, at.t, least.violation);
  const std::string chance =
      limits.robust ? std::string()
                    : fmt::format(", and broken in its step with a probability of at least {:.3g}",
                                  least.violation);
  return fmt::format(
      "limits: no controller keeps {}{}: one is always at least {:.3g} times too large{}; where "
      "that is least, it is '{}' at step {}",
      all, shares, 1 + least.excess, chance, row, at.t);
}

namespace {

// For every disturbance of a set, under the moment alone: the means of rows are those of the start,
// or of the best feedforward.
LimitedMinimizer design_robustly(const ResponseSpace& space, const Limits& limits,
                                 const Matrix& moment) {
  const Vector low = limits_of(limits, &LimitRow::low), high = limits_of(limits, &LimitRow::high);
  LimitedMinimizer found = minimize_robustly(space.cost, row_coordinates(limits, space.coordinates),
                                             low, high, *limits.robust, moment);
  // Relative to the room of a row around zero, as for chances.
  found.price = found.price.cwiseProduct(high.cwiseMin(-low).cwiseAbs());
  return found;
}

// The inputs' means, if the response is affine, cost what they cost under the mean of w, and what
// gamma pulls; the mean of w taken out, they have nothing in common with the columns of w but the
// limits. Otherwise rows' means are those of the start.
MeanProblem mean_problem(const ResponseSpace& space, const LearnedObjective& objective,
                         const RowCoordinates& rows, const Vector& mu, const Vector& low,
                         const Vector& high, const Vector& shares, double factor) {
  MeanProblem mean{{}, {}, rows.a.col(0), low, high, shares, factor};
  if (!space.coordinates.pattern.affine) return mean;
  Vector one(mu.size() + 1);
  one << 1, mu;
  mean.offset = rows.a * one;
  mean.P = space.cost.P;
  mean.P.diagonal().array() += objective.gamma;
  mean.slope = objective.center.size() > 0 ? Vector(-mean.P * (objective.center * one))
                                           : Vector(space.cost.N_0 * one);
  return mean;
}

}  // namespace

LimitedMinimizer design_with_shares(const ResponseSpace& space, const Limits& limits,
                                    const Vector& shares, const LearnedObjective& objective,
                                    double factor, const LimitedOptions& options) {
  const CausalPattern& pattern = space.coordinates.pattern;
  const QuadraticForm& cost = space.cost;
  const RowCoordinates rows = row_coordinates(limits, space.coordinates);
  const Parts parts = parts_of(pattern, objective.moment);
  const Index d_w = parts.second.rows();

  LimitedProblem problem;
  problem.pattern = {pattern.sizes, false, false};
  problem.P = cost.P;
  problem.S =
      pattern.affine ? Matrix(parts.second - parts.mean * parts.mean.transpose()) : parts.second;
  problem.B.noalias() = cost.N_0.rightCols(d_w) * problem.S;
  if (pattern.constant && !pattern.affine) problem.B += cost.N_0.col(0) * parts.mean.transpose();
  problem.gamma = objective.gamma;
  if (objective.center.size() > 0) {
    const Matrix center = objective.center.rightCols(d_w);
    problem.B = -(cost.P * Matrix(center * problem.S)) - objective.gamma * center;
  }
  problem.base = constant_term(cost, objective.moment);
  problem.rows = {rows.p, rows.a.rightCols(d_w)};
  const Vector low = limits_of(limits, &LimitRow::low), high = limits_of(limits, &LimitRow::high);
  Matrix Z = Matrix::Zero(pattern.rows(), pattern.cols());
  LimitedMinimizer found;
  if (pattern.constant) {
    const MeanProblem mean =
        mean_problem(space, objective, rows, parts.mean, low, high, shares, factor);
    MeanMinimizer both = minimize_under_limits(problem, mean, options);
    found = std::move(both.response);
    if (pattern.affine) Z.col(0) = both.v - found.Z * parts.mean;
  } else {
    problem.largest = positive(limits, allowed_deviations(low, high, shares)) / factor;
    found = minimize_under_limits(problem, options);
    if (!found.feasible)
      found.violation = least_violation(low, high, shares, (1 + found.excess) / factor);
  }
  Z.rightCols(d_w) = found.Z;
  found.Z = std::move(Z);
  if (objective.gamma == 0 && objective.center.size() == 0) {  // with what the constant costs
    const double whole = risk(cost, objective.moment, found.Z);
    found.lower += whole - found.cost;
    found.cost = whole;
  }
  return found;
}

LimitedMinimizer design_under_limits(const ResponseSpace& space, const Limits& limits,
                                     const LearnedObjective& objective, double factor,
                                     const LimitedOptions& options) {
  if (limits.robust) return design_robustly(space, limits, objective.moment);
  return design_with_shares(space, limits, equal_shares(limits), objective, factor, options);
}

Vector violations_of(const ResponseSpace& space, const Limits& limits, const Matrix& moment,
                     const Matrix& Z, double factor) {
  const CausalPattern& pattern = space.coordinates.pattern;
  const RowCoordinates rows = row_coordinates(limits, space.coordinates);
  const Matrix all = rows.a + rows.p * Z;
  const Parts parts = parts_of(pattern, moment);
  const Matrix a = all.rightCols(parts.second.rows());
  Vector means = Vector::Zero(a.rows());
  Vector squares = (a * parts.second).cwiseProduct(a).rowwise().sum();
  if (pattern.constant) means = all.col(0);
  if (pattern.affine) {
    const Vector shift = a * parts.mean;
    means += shift;
    squares -= shift.cwiseAbs2();
  }
  const Vector low = limits_of(limits, &LimitRow::low), high = limits_of(limits, &LimitRow::high);
  Vector broken(means.size());
  for (Index c = 0; c < broken.size(); ++c)
    broken(c) = violation(low(c), high(c), means(c), factor * std::sqrt(std::max(squares(c), 0.0)));
  return broken;
}

}  // namespace loopcert
