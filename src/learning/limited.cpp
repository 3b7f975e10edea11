// Barrier method on the dual. At the maximum of d(lambda) + mu sum log lambda_c the minimizer of
// the Lagrangian is strictly feasible, and its cost exceeds the dual's value, which no feasible
// response beats, by C mu. An elastic variable theta (deviation^2 <= largest^2 (1 + theta), at a
// price `penalty`) makes every problem feasible: limits that cannot be met end with theta > 0.
#include "learning/limited.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "learning/limited_dual.hpp"

namespace loopcert {
namespace {

constexpr double penalty_share = 1e6;  // of the free cost: what limits may be worth at most

using Point = LimitedDual::Point;

// What the barrier's functions share.
struct Dual : LimitedDual {
  explicit Dual(const LimitedProblem& problem)
      : LimitedDual(problem), squares_(problem.largest.array().square()) {}
  const Vector& squares() const { return squares_; }
  // A limit is no more than 10^12 times above or below what its row is without limits: 1e300 for
  // "none", or next to nothing, are numbers that products of them do not survive.
  void keep_in_range(const Vector& deviation) {
    constexpr double range = 1e24;  // of squares
    for (Index c = 0; c < squares_.size(); ++c)
      squares_(c) = deviation(c) > 0
                        ? std::clamp(squares_(c), deviation(c) / range, deviation(c) * range)
                        : std::clamp(squares_(c), 1e-200, 1e200);
  }

 private:
  Vector squares_;
};

// The barrier's place: lambda > 0, and what is left of the penalty.
struct Place {
  Vector lambda;
  double left = 0;
};

// Gradient of d + mu (sum log lambda + log left) in lambda.
Vector slope_at(const Dual& dual, const Point& point, const Place& place, double mu) {
  const Vector& squares = dual.squares();
  return (point.deviation - squares).array() + mu / place.lambda.array() -
         mu / place.left * squares.array();
}

// Newton's direction with the scaling of the primal-dual method where a row is inside its limit.
Vector direction_at(Dual& dual, const Point& point, const Place& place, double mu,
                    const Vector& slope) {
  const Vector& squares = dual.squares();
  const double theta = mu / place.left;
  Matrix H = dual.curvature(point);
  H.noalias() += mu / (place.left * place.left) * squares * squares.transpose();
  for (Index c = 0; c < squares.size(); ++c) {
    const double lambda = place.lambda(c), room = squares(c) * (1 + theta) - point.deviation(c);
    const double barrier = mu / (lambda * lambda);
    H(c, c) += room > 0 ? std::max(room / lambda, 1e-3 * barrier) : barrier;
  }
  // Rows in units of their own.
  const Vector unit = H.diagonal().cwiseSqrt().cwiseInverse();
  H = unit.asDiagonal() * H * unit.asDiagonal();
  H.diagonal().array() += 1e-14;
  return unit.cwiseProduct(H.llt().solve(unit.cwiseProduct(slope)));
}

// As far as lambda and what is left stay positive.
double longest(const Place& place, const Vector& step, const Vector& squares) {
  constexpr double keep = 0.95;
  double length = 1;
  for (Index c = 0; c < step.size(); ++c)
    if (step(c) < 0) length = std::min(length, -keep * place.lambda(c) / step(c));
  const double used = step.dot(squares);
  if (used > 0) length = std::min(length, keep * place.left / used);
  return length;
}

struct Centred {
  Place place;
  Point point;
};

// Maximizes the barrier function at mu. Concave along a line: the slope there says where to stop,
// and does so where the values agree to the last digit.
Centred centre(Dual& dual, Centred now, double mu, int most) {
  constexpr int rounds = 60;
  for (int i = 0; i < rounds && dual.evaluations < most; ++i) {
    const Vector slope = slope_at(dual, now.point, now.place, mu);
    if (slope.cwiseProduct(now.place.lambda).cwiseAbs().maxCoeff() < 0.1 * mu) break;
    const Vector step = direction_at(dual, now.point, now.place, mu, slope);
    const double rise = slope.dot(step);
    double length = longest(now.place, step, dual.squares());
    Centred next;
    for (int halving = 0;; ++halving) {
      next.place = {now.place.lambda + length * step,
                    now.place.left - length * step.dot(dual.squares())};
      next.point = dual.at(next.place.lambda);
      const double after = slope_at(dual, next.point, next.place, mu).dot(step);
      if (after >= -0.5 * rise || halving == 20) break;
      length *= std::clamp(rise / (rise - after), 0.1, 0.7);
    }
    now = std::move(next);
  }
  return now;
}

Vector ratios(const Dual& dual, const Point& point) {
  return (point.deviation.array() / dual.squares().array()).max(0.0).sqrt();
}

LimitedMinimizer result_of(const Dual& dual, const Centred& found, double theta) {
  LimitedMinimizer result;
  const Vector gap = found.point.deviation - dual.squares();
  result.Z = dual.response(found.point);
  result.cost = dual.cost(found.point);
  result.lower = result.cost + found.place.lambda.dot(gap);
  result.price = 2 * found.place.lambda.cwiseProduct(dual.squares());
  result.evaluations = dual.evaluations;
  constexpr double met = 1e-6;
  const double largest = ratios(dual, found.point).maxCoeff();
  result.feasible = theta < met && largest < 1 + met;
  if (!result.feasible) {
    result.price.maxCoeff(&result.worst);
    result.excess = std::max(largest, std::sqrt(1 + theta)) - 1;
  }
  return result;
}

}  // namespace

LimitedMinimizer minimize_under_limits(const LimitedProblem& problem,
                                       const LimitedOptions& options) {
  Dual dual(problem);
  const Index C = problem.largest.size();
  Centred now{{Vector::Zero(C), 0}, dual.at(Vector::Zero(C))};
  dual.keep_in_range(now.point.deviation);
  const double unit = std::max(dual.cost(now.point), 1e-300);  // of costs
  if ((now.point.deviation.array() <= dual.squares().array()).all()) return result_of(dual, now, 0);
  const double penalty = penalty_share * unit;
  // With gamma conjugate gradients say how large a row is, to fewer digits than a factorization.
  const double least_gap = problem.gamma > 0 ? 1e-7 : 0;
  double mu = 0.1 * unit / static_cast<double>(C);
  now.place.lambda = mu / dual.squares().array();
  now.place.left = penalty - now.place.lambda.dot(dual.squares());
  now.point = dual.at(now.place.lambda);
  for (;;) {
    now = centre(dual, std::move(now), mu, options.max_evaluations);
    // Limits that cannot be met: how far they are missed by needs no more than a few digits.
    const double theta = mu / now.place.left;
    const double gap = theta > 1e-4 ? 1e-5 : std::max(options.relative_gap, least_gap);
    if (static_cast<double>(C) * mu <= gap * (std::abs(dual.cost(now.point)) + penalty * theta) ||
        dual.evaluations >= options.max_evaluations)
      break;
    mu *= 0.05;
  }
  return result_of(dual, now, mu / now.place.left);
}

}  // namespace loopcert
