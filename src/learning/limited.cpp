// Barrier method on the dual. At the maximum of d(lambda) + mu sum log lambda_c the minimizer of
// the Lagrangian is strictly feasible, and its cost exceeds the dual's value, which no feasible
// response beats, by C mu. An elastic variable theta (deviation^2 <= largest^2 (1 + theta), at a
// price `penalty`) makes every problem feasible: limits that cannot be met end with theta > 0.
#include "learning/limited.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "core/linalg.hpp"
#include "factorization.hpp"
#include "learning/minimizers.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

constexpr double penalty_share = 1e6;  // of the free cost: what limits may be worth at most

// Of the Lagrangian at one lambda.
struct Point {
  Matrix Z, R;
  Matrix aS;         // C x d_w: a_c'S
  Vector deviation;  // squared
  double cost = 0;
};

class Dual {
 public:
  explicit Dual(const LimitedProblem& problem)
      : problem_(problem), free_(problem.pattern.end_free_column()) {
    Matrix block = problem.S.topLeftCorner(free_, free_);
    block.diagonal().array() += curvature();
    // A moment of few data is singular: the smallest noise that makes it definite.
    const Vector diagonal = block.diagonal();
    const double largest = diagonal.maxCoeff();
    L_ = lower_cholesky_or_empty(block, 1e-13);
    for (double floor = 1e-12; L_.size() == 0; floor *= 10) {
      if (!(floor < 1)) throw NumericsError("limits: the second moment is not finite");
      block.diagonal() = diagonal + floor * (diagonal.array() + 1e-3 * largest).matrix();
      L_ = lower_cholesky_or_empty(block, 1e-13);
    }
    S_ = problem.S;
    if (problem.gamma == 0) S_.topLeftCorner(free_, free_).diagonal() = block.diagonal();
    a0S_ = problem.rows.a * S_;
    squares_ = problem.largest.array().square();
  }

  int evaluations = 0;
  const Vector& squares() const { return squares_; }

  Point at(const Vector& lambda) {
    const LimitedProblem& p = problem_;
    const Matrix weighted = p.rows.p.transpose() * lambda.asDiagonal();
    Matrix P = p.P;
    P.noalias() += weighted * p.rows.p;
    Matrix B = p.B;
    B.noalias() += weighted * a0S_;
    project_causal(p.pattern, B);
    Point point;
    ++evaluations;
    point.R = upper_cholesky(P);
    point.Z = -solve(point.R, P, B);
    Matrix a = p.rows.a;
    a.noalias() += p.rows.p * point.Z;
    point.aS.noalias() = a * S_;
    point.deviation = point.aS.cwiseProduct(a).rowwise().sum();
    const Matrix PZ = p.P * point.Z;
    point.cost = p.base + 2 * p.B.cwiseProduct(point.Z).sum() +
                 (PZ * S_).cwiseProduct(point.Z).sum() + p.gamma * point.Z.squaredNorm();
    return point;
  }

  // -d^2 d / dlambda_c dlambda_c' = 2 sum_t (r_c,t . r_c',t) (b_c,<=t . b_c',<=t) with r_c = R^-1
  // p_c and b_c = L^-1 S a_c. With gamma it is one for a curvature above the true one: a direction
  // of ascent all the same.
  Matrix curvature_at(const Point& point) const {
    const CausalPattern& pattern = problem_.pattern;
    const Index n_u = pattern.sizes.n_u, n_y = pattern.sizes.n_y, C = squares_.size();
    Matrix r = problem_.rows.p.transpose();
    point.R.triangularView<Eigen::Upper>().solveInPlace(r);
    Matrix b = point.aS.leftCols(free_).transpose();
    L_.triangularView<Eigen::Lower>().solveInPlace(b);
    Matrix seen = Matrix::Zero(C, C), total = Matrix::Zero(C, C), now(C, C);
    for (Index t = 0; t < pattern.sizes.T; ++t) {
      const auto b_t = b.middleRows(t * n_y, n_y);
      seen.noalias() += b_t.transpose() * b_t;
      const auto r_t = r.middleRows(t * n_u, n_u);
      now.noalias() = r_t.transpose() * r_t;
      total += now.cwiseProduct(seen);
    }
    return 2 * total;
  }

 private:
  double curvature() const {
    return problem_.gamma > 0 ? problem_.gamma / problem_.P.diagonal().mean() : 0.0;
  }

  // [P Z S] + gamma Z = B on the causal entries.
  Matrix solve(const Matrix& R, const Matrix& P, const Matrix& B) {
    if (problem_.gamma == 0) return CausalFactorization(problem_.pattern, R, L_).solve(B);
    const RidgeSystem system{problem_.pattern, P, S_, problem_.gamma};
    const RidgeResult result =
        solve_ridge(system, B, {1e-11, 2000}, last_.size() ? &last_ : nullptr);
    last_ = result.Z;
    return result.Z;
  }

  const LimitedProblem& problem_;
  Index free_;
  Matrix L_, S_, a0S_;
  Vector squares_;
  Matrix last_;
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
Vector direction_at(const Dual& dual, const Point& point, const Place& place, double mu,
                    const Vector& slope) {
  const Vector& squares = dual.squares();
  const double theta = mu / place.left;
  Matrix H = dual.curvature_at(point);
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
  result.Z = found.point.Z;
  result.cost = found.point.cost;
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
  const double unit = std::max(now.point.cost, 1e-300);  // of costs
  if ((now.point.deviation.array() <= dual.squares().array()).all()) return result_of(dual, now, 0);
  const double penalty = penalty_share * unit;
  double mu = 0.1 * unit / static_cast<double>(C);
  now.place.lambda = mu / dual.squares().array();
  now.place.left = penalty - now.place.lambda.dot(dual.squares());
  now.point = dual.at(now.place.lambda);
  for (;;) {
    now = centre(dual, std::move(now), mu, options.max_evaluations);
    // Limits that cannot be met: how far they are missed by needs no more than a few digits.
    const double theta = mu / now.place.left;
    const double gap = theta > 1e-4 ? 1e-5 : options.relative_gap;
    if (static_cast<double>(C) * mu <= gap * (std::abs(now.point.cost) + penalty * theta) ||
        dual.evaluations >= options.max_evaluations)
      break;
    mu *= 0.05;
  }
  return result_of(dual, now, mu / now.place.left);
}

}  // namespace loopcert
