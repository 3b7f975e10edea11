#include "learning/robust_limits.hpp"

#include <algorithm>

#include "learning/robust_interior.hpp"

namespace loopcert {
namespace {

// Of the cost: what limits may be worth. Where the first is too small to say whether they can be
// kept, the second decides.
constexpr double penalty_shares[] = {1e7, 1e10};

}  // namespace

LimitedMinimizer minimize_robustly(const QuadraticForm& cost, const RowCoordinates& rows,
                                   const Vector& low, const Vector& high, const BoundedSet& set,
                                   const MatrixView& Sigma, const RobustOptions& options) {
  const RobustProblem problem = scaled_problem(cost, rows, low, high, set, Sigma);
  LimitedMinimizer out;
  const auto over = [&](const Matrix& Y) { return problem.rows.overshoot(problem.entries(Y)); };
  const Matrix start = problem.least(Matrix::Zero(problem.G.rows(), problem.G.cols()));
  const double least = problem.cost(start);
  Matrix Y = start;
  out.price.setZero(problem.p.rows());
  out.lower = least;
  if (over(start).maxCoeff() > 0) {
    for (const double share : penalty_shares) {
      const double penalty = share * std::max(std::abs(least), 1e-300);
      RobustPoint found = interior_point(problem, {penalty, options.relative_gap}, start);
      out.evaluations += found.iterations;
      Y = std::move(found.Y);
      out.feasible = found.slack <= 0;
      out.lower = found.lower;
      out.price = found.price.cwiseQuotient(problem.rows.unit());
      // Excess and cost are weighed against each other: only one of more than cost / penalty is
      // sure.
      if (found.done && (out.feasible || found.least_slack > 1e3 / share)) break;
    }
    if (!out.feasible) out.excess = over(Y).maxCoeff(&out.worst);
  }
  out.Z = problem.coordinates(Y);
  out.cost = problem.cost(Y);
  out.lower = out.feasible ? std::min(out.lower, out.cost) : INFINITY;
  return out;
}

}  // namespace loopcert
