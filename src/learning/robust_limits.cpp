#include "learning/robust_limits.hpp"

#include <algorithm>

#include "learning/robust_newton.hpp"

namespace loopcert {
namespace {

// ADMM, and from time to time an attempt to finish by Newton's steps, for as many solves as ADMM
// has used so far.
RobustPoint solve_robust(const RobustProblem& problem, const RobustAim& aim, const Matrix& start,
                         int max_iterations, int& solves, bool& cannot) {
  RobustAdmm admm(problem, aim, start);
  RobustPoint point;
  Matrix y = Matrix::Zero(problem.a.rows(), problem.a.cols());
  for (int chunk = 100; admm.iterations() < max_iterations; chunk = admm.iterations()) {
    const bool done = admm.run(std::min(chunk, max_iterations - admm.iterations()));
    solves += admm.solves();
    point = admm.point();
    if (done) return point;
    cannot = aim.hard() &&
             (impossible(problem, point.Y, point.y) || impossible(problem, point.Y, point.y - y));
    if (cannot) return point;
    y = point.y;
    int used = 0;
    point = robust_newton(problem, aim, point, admm.rho(), admm.solves(), used);
    solves += used;
    if (point.done(aim)) return point;
  }
  return point;
}

// The response whose worst row is over its limit by the least, for a penalty that makes the cost
// not matter.
RobustPoint least_slack_point(const RobustProblem& problem, RobustPoint point, int max_iterations,
                              int& solves) {
  RobustAim aim{10 * std::max(std::abs(point.cost), point.price.sum()), 1e-9};
  bool cannot = false;
  for (int i = 0; i < 5; ++i, aim.penalty *= 10) {
    const double before = point.slack;
    point = solve_robust(problem, aim, point.Y, max_iterations, solves, cannot);
    if (before - point.slack <= 1e-8 * (1 + std::abs(point.slack))) break;
  }
  return point;
}

}  // namespace

LimitedMinimizer minimize_robustly(const QuadraticForm& cost, const RowCoordinates& rows,
                                   const Vector& low, const Vector& high, const BoundedSet& set,
                                   const MatrixView& Sigma, const RobustOptions& options) {
  const RobustProblem problem = scaled_problem(cost, rows, low, high, set, Sigma);
  LimitedMinimizer out;
  const RobustAim aim{INFINITY, options.relative_gap};
  const Matrix none = Matrix::Zero(problem.a.rows(), problem.a.cols());
  RobustPoint point =
      evaluated(problem, aim, problem.least(Matrix::Zero(problem.G.rows(), problem.G.cols())), none,
                Vector::Zero(none.cols()));
  bool cannot = problem.rows.least_slack() > 0;
  if (!cannot && point.slack > 0)
    point = solve_robust(problem, aim, point.Y, options.max_iterations, out.evaluations, cannot);
  if (point.slack > 0) {
    const RobustPoint safe =
        least_slack_point(problem, point, options.max_iterations, out.evaluations);
    if (safe.slack > 0) {
      out.feasible = false;
      out.excess = safe.slack;
      problem.rows.overshoot(problem.entries(safe.Y)).maxCoeff(&out.worst);
      point.Y = safe.Y;
    } else {  // on the way from one to the other, sizes are convex
      const double share = point.slack / (point.slack - safe.slack);
      point.Y += std::min(1.0, share * (1 + 1e-12)) * (safe.Y - point.Y);
    }
  }
  out.Z = problem.coordinates(point.Y);
  out.cost = problem.cost(point.Y);
  out.lower = out.feasible ? std::min(point.lower, out.cost) : INFINITY;
  out.price = point.price.cwiseQuotient(problem.rows.unit());
  return out;
}

}  // namespace loopcert
