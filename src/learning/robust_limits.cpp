#include "learning/robust_limits.hpp"

#include <algorithm>

#include "learning/robust_interior.hpp"

namespace loopcert {
namespace {

constexpr double first_share = 1e7;  // of the cost: what limits may be worth
constexpr double last_share = 1e10;  // where that is too little to say whether they can be kept

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
    const double unit = std::max(std::abs(least), 1e-300);
    double penalty = first_share * unit;
    out.feasible = false;
    for (int attempt = 0; attempt < 2; ++attempt) {
      const RobustPoint found = interior_point(problem, {penalty, options.relative_gap}, start);
      out.evaluations += found.iterations;
      const bool kept = found.slack <= 0;
      if (attempt == 0 || (kept && !(out.feasible && problem.cost(Y) <= found.cost))) {
        Y = found.Y;
        out.price = found.price.cwiseQuotient(problem.rows.unit());
      }
      out.feasible = out.feasible || kept;
      out.lower = std::max(out.lower, found.lower);
      // Excess and cost are weighed against each other: only one of more than cost / penalty is
      // sure.
      if (found.done && (kept || found.least_slack > 1e3 * unit / penalty)) break;
      penalty = kept ? 30 * found.price.sum() : last_share * unit;
    }
    if (!out.feasible) out.excess = over(Y).maxCoeff(&out.worst);
  }
  out.Z = problem.coordinates(Y);
  out.cost = problem.cost(Y);
  out.lower = out.feasible ? std::min(out.lower, out.cost) : INFINITY;
  return out;
}

}  // namespace loopcert
