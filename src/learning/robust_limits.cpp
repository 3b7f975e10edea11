#include "learning/robust_limits.hpp"

#include <algorithm>

#include "learning/robust_newton.hpp"

namespace loopcert {
namespace {

constexpr double elastic_gap =
    1e-6;  // of the smallest excess, over the limit, unless it takes too long
constexpr int elastic_iterations = 1000;

// ADMM, and from time to time an attempt to finish by Newton's steps, for as many solves as ADMM
// has used so far.
class RobustSolver {
 public:
  RobustSolver(const RobustProblem& problem, int max_iterations)
      : problem_(problem), max_iterations_(max_iterations) {}

  // From `point` on. True: done. False: it takes too long, or prices grow while the limits do not
  // come nearer, as they do when nothing keeps them.
  bool solve(const RobustAim& aim, RobustPoint& point, double first_rho) {
    RobustAdmm admm(problem_, aim, point, first_rho);
    RobustPoint before;
    const int most = aim.hard() ? max_iterations_ : std::min(max_iterations_, elastic_iterations);
    for (int chunk = 100; admm.iterations() < most; chunk = admm.iterations()) {
      bool done = admm.run(std::min(chunk, most - admm.iterations()));
      point = admm.point();
      rho = admm.rho();
      int used = 0;
      const bool stuck = aim.hard() && point.slack > 0.7 * before.slack &&
                         point.price.sum() > 1.3 * before.price.sum();
      if (stuck && chunk > 100) return solves += admm.solves(), false;
      before = point;
      if (!done) {
        point = robust_newton(problem_, aim, point, rho, admm.solves(), used);
        done = point.done(aim);
        solves += used;
      }
      if (done) return solves += admm.solves(), true;
    }
    solves += admm.solves();
    return false;
  }

  // The response whose worst row is over its limit by the least: the cost matters less and less.
  void least_slack(RobustPoint& point) {
    double penalty = std::abs(point.cost);
    for (int i = 0; i < 3; ++i, penalty *= 10) {
      const double before = point.slack,
                   factor = penalty / std::max(point.price.sum(), 1e-3 * penalty);
      point.y *= factor;
      point.price *= factor;
      solve({penalty, elastic_gap}, point, rho * factor);
      if (std::abs(before - point.slack) <= elastic_gap * (1 + std::abs(point.slack))) break;
    }
  }

  int solves = 0;
  double rho = 0;  // where the last one ended

 private:
  const RobustProblem& problem_;
  int max_iterations_;
};

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
  RobustSolver solver(problem, options.max_iterations);
  bool done = point.slack <= 0;
  if (!done && problem.rows.least_slack() <= 0) done = solver.solve(aim, point, 0);
  if (!done) {
    RobustPoint safe = point;
    solver.least_slack(safe);
    if (safe.slack > 0) {
      out.feasible = false;
      out.excess = safe.slack;
      problem.rows.overshoot(problem.entries(safe.Y)).maxCoeff(&out.worst);
      point = safe;
    } else if (point.slack > 0) {  // on the way from one to the other, sizes are convex
      const double share = point.slack / (point.slack - safe.slack);
      point.Y += std::min(1.0, share * (1 + 1e-12)) * (safe.Y - point.Y);
    }
  }
  out.evaluations = solver.solves;
  out.Z = problem.coordinates(point.Y);
  out.cost = problem.cost(point.Y);
  out.lower = out.feasible ? std::min(point.lower, out.cost) : INFINITY;
  out.price = point.price.cwiseQuotient(problem.rows.unit());
  return out;
}

}  // namespace loopcert
