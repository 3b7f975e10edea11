#include "learning/robust_limits.hpp"

#include <algorithm>

#include "learning/robust_interior.hpp"

namespace loopcert {
namespace {

constexpr double penalty_share = 1e7;  // of the cost: what limits may be worth at most
constexpr double elastic_gap = 1e-9;   // of the smallest excess, over the limit

// The point of least cost on the way from `out`, beyond a limit, to `in`: sizes are convex.
void pull_inside(const RobustProblem& problem, const Matrix& in, Matrix& out) {
  const auto over = [&](const Matrix& Y) {
    return problem.rows.overshoot(problem.entries(Y)).maxCoeff();
  };
  const double outside = over(out), inside = over(in);
  if (outside <= 0 || inside > 0) return;
  double share = outside / (outside - inside);
  for (int i = 0; i < 60; ++i, share = std::min(1.0, share * (1 + 1e-12) + 1e-15)) {
    const Matrix Y = out + share * (in - out);
    if (over(Y) > 0) continue;
    out = Y;
    return;
  }
  out = in;
}

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
    RobustPoint found;
    const bool possible = problem.rows.least_slack() <= 0;
    if (possible) found = interior_point(problem, {INFINITY, options.relative_gap}, start);
    out.evaluations = found.iterations;
    if (!found.done) {  // limits that nothing keeps, or only just
      const RobustAim elastic{penalty_share * std::abs(least), elastic_gap};
      const RobustPoint safe = interior_point(problem, elastic, start);
      out.evaluations += safe.iterations;
      if (found.slack > 0 || (safe.slack <= 0 && safe.cost < found.cost)) {
        found.Y = safe.Y;
        found.slack = safe.slack;
        found.price = safe.price;
        if (safe.inner_slack <= 0) pull_inside(problem, safe.inner, found.Y);
      }
      found.lower = std::max(found.lower, safe.lower_hard);
    }
    Y = found.Y;
    out.feasible = over(Y).maxCoeff(&out.worst) <= 0;
    if (!out.feasible) out.excess = over(Y).maxCoeff(&out.worst);
    out.lower = out.feasible ? found.lower : INFINITY;
    out.price = found.price.cwiseQuotient(problem.rows.unit());
  }
  if (out.feasible) out.worst = 0;
  out.Z = problem.coordinates(Y);
  out.cost = problem.cost(Y);
  out.lower = out.feasible ? std::min(out.lower, out.cost) : INFINITY;
  return out;
}

}  // namespace loopcert
