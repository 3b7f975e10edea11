#include "learning/limited_design.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

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

// The constant's own column: free and best for the mean (an affine response), or fixed. With the
// mean of w taken out, columns of w and this one have nothing in common but the limits' means.
struct Feedforward {
  Vector mean_input;  // Z (1, mu): what is chosen on average
  Vector row_mean;    // C
};

Feedforward feedforward(const ResponseSpace& space, const RowCoordinates& rows, const Vector& mu) {
  const CausalPattern& pattern = space.coordinates.pattern;
  Feedforward f{Vector::Zero(pattern.rows()), Vector::Zero(rows.a.rows())};
  if (!pattern.constant) return f;
  f.row_mean = rows.a.col(0);
  if (!pattern.affine) return f;
  Vector one(mu.size() + 1);
  one << 1, mu;
  f.mean_input = -space.cost.P.llt().solve(space.cost.N_0 * one);
  f.row_mean = rows.a * one + rows.p * f.mean_input;
  return f;
}

Vector limits_of(const Limits& limits, double(LimitRow::*end)) {
  Vector ends(limits.count());
  Index c = 0;
  for (const LimitAt& at : limits_at_steps(limits))
    ends(c++) = limits.rows[static_cast<size_t>(at.row)].*end;
  return ends;
}

// A row whose mean is outside allows nothing; the solver wants something.
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

Vector allowed_deviations(const Limits& limits, const RowResponses& rows, const Vector& mean) {
  const Index C = rows.low.size();
  const double share =
      limits.each ? limits.probability : limits.probability / static_cast<double>(C);
  Vector largest(C);
  for (Index c = 0; c < C; ++c)
    largest(c) = largest_deviation(rows.low(c), rows.high(c), mean(c), share);
  return largest;
}

double least_violation(const Limits& limits, const LimitedMinimizer& least) {
  const double share =
      limits.each ? limits.probability : limits.probability / static_cast<double>(limits.count());
  double smallest = 1;  // whichever row it is that is so much too large
  for (const LimitRow& row : limits.rows) {
    const double mean = std::clamp(0.0, row.low, row.high);
    smallest = std::min(smallest, violation(row.low, row.high, mean,
                                            largest_deviation(row.low, row.high, mean, share) *
                                                (1 + least.excess)));
  }
  return smallest;
}

std::string infeasible_words(const Limits& limits, const LimitedMinimizer& least) {
  const LimitAt at = limits_at_steps(limits)[static_cast<size_t>(least.worst)];
  const std::string chance =
      limits.robust ? std::string()
                    : fmt::format(", and broken in its step with a probability of at least {:.3g}",
                                  least_violation(limits, least));
  return fmt::format(
      "limits: no controller keeps {}{}: one is always at least {:.3g} times too large{}; where "
      "that is least, it is '{}' at step {}",
      limits.count() == 1 ? "it" : "all of them",
      limits.robust || limits.each ? "" : " with an equal share of the probability for each",
      1 + least.excess, chance, limits.rows[static_cast<size_t>(at.row)].name, at.t);
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

}  // namespace

LimitedMinimizer design_under_limits(const ResponseSpace& space, const Limits& limits,
                                     const LearnedObjective& objective, double factor,
                                     const LimitedOptions& options) {
  if (limits.robust) return design_robustly(space, limits, objective.moment);
  const CausalPattern& pattern = space.coordinates.pattern;
  const QuadraticForm& cost = space.cost;
  const RowCoordinates rows = row_coordinates(limits, space.coordinates);
  const Parts parts = parts_of(pattern, objective.moment);
  const Index d_w = parts.second.rows();
  const Feedforward mean = feedforward(space, rows, parts.mean);

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
  RowResponses ends;
  ends.low = limits_of(limits, &LimitRow::low);
  ends.high = limits_of(limits, &LimitRow::high);
  problem.largest = positive(limits, allowed_deviations(limits, ends, mean.row_mean)) / factor;

  LimitedMinimizer found = minimize_under_limits(problem, options);
  Matrix Z = Matrix::Zero(pattern.rows(), pattern.cols());
  Z.rightCols(d_w) = found.Z;
  if (pattern.affine) Z.col(0) = mean.mean_input - found.Z * parts.mean;
  if (objective.center.size() > 0 && pattern.affine) Z.col(0) = objective.center.col(0);
  found.Z = std::move(Z);
  if (objective.gamma == 0 && objective.center.size() == 0) {  // with what the constant costs
    const double whole = risk(cost, objective.moment, found.Z);
    found.lower += whole - found.cost;
    found.cost = whole;
  }
  return found;
}

}  // namespace loopcert
