#include "learning/robust_admm.hpp"

#include <algorithm>
#include <cmath>

namespace loopcert {
namespace {

constexpr double over_relaxation = 1.7;
constexpr int between_checks = 10;

// The curvature of the cost over that of squared rows, both on average.
double first_rho(const RobustProblem& problem) {
  const double rows = problem.p.squaredNorm() / static_cast<double>(problem.p.rows());
  const double seen = problem.counts.sum();
  const double variance = seen > 0 ? problem.Sigma.diagonal().dot(problem.counts) / seen : 1;
  return rows > 0 ? 8 * variance / rows : 1;
}

}  // namespace

double RobustPoint::allowed(const RobustAim& aim) const {
  return aim.gap * (aim.hard() ? std::abs(cost) : aim.penalty);
}

bool RobustPoint::done(const RobustAim& aim) const {
  if (aim.hard()) return slack <= 0 && cost - lower <= allowed(aim);
  return cost + aim.penalty * slack - lower <= allowed(aim);
}

double RobustPoint::margin(const RobustAim& aim) const {
  if (!aim.hard()) return 0;
  const double prices = price.sum();
  return prices > 0 ? std::clamp(0.3 * allowed(aim) / prices, 1e-12, 1e-6) : 1e-12;
}

RobustPoint evaluated(const RobustProblem& problem, const RobustAim& aim, Matrix Y, Matrix y,
                      Vector price) {
  RobustPoint point;
  point.cost = problem.cost(Y);
  point.slack = problem.rows.overshoot(problem.entries(Y)).maxCoeff();
  double rest = 0;
  if (!aim.hard()) {  // prices of at most the penalty; what is missing buys the least slack
    problem.rows.support(y, price);
    const double sum = price.sum(), least = problem.rows.least_slack();
    if (sum > aim.penalty || !std::isfinite(least)) {
      y *= aim.penalty / sum;
      price *= aim.penalty / sum;
    } else {
      rest = (aim.penalty - sum) * least;
    }
  }
  point.lower = problem.lower_bound(y, price) + rest;
  point.Y = std::move(Y);
  point.y = std::move(y);
  point.price = std::move(price);
  return point;
}

RobustAdmm::RobustAdmm(const RobustProblem& problem, const RobustAim& aim, const RobustPoint& start,
                       double rho)
    : problem_(problem), aim_(aim), step_(problem, rho > 0 ? rho : first_rho(problem)) {
  point_.Y = start.Y;
  V_ = problem.entries(start.Y);
  S_ = V_ + start.y / step_.rho();
}

// Douglas and Rachford's form: V = projection of S, Y = argmin of cost + rho/2 ||entries - (2V -
// S)||^2, S += over_relaxation * (entries - V). Multipliers are rho (S - V).
void RobustAdmm::iterate() {
  const double rho = step_.rho();
  point_.y = S_;
  if (aim_.hard())
    problem_.rows.remove(margin_, point_.y, point_.price);
  else
    problem_.rows.remove_elastic(aim_.penalty / rho, point_.y, point_.price);
  before_ = V_;
  V_ = S_ - point_.y;
  const Matrix target = problem_.counts.asDiagonal() * (V_ - point_.y - problem_.a);
  const Matrix B = rho * problem_.gradient(target) - 2 * problem_.G;
  solves_ += step_.solve(B, 0.05 * rho * residual_, point_.Y);
  const Matrix change = problem_.entries(point_.Y) - V_;
  residual_ = change.norm();
  S_ += over_relaxation * change;
  point_.y *= rho;
  point_.price *= rho;
  ++iterations_;
}

// Residuals of both kinds at the same share of what they are compared with; ever more rarely.
void RobustAdmm::balance() {
  if (iterations_ - changed_ < std::max(100, changed_ / 2)) return;
  const double rho = step_.rho();
  const double rows = residual_ / std::max(V_.norm(), 1e-300);
  const double slope = rho * problem_.gradient(V_ - before_).norm();
  const double whole = std::max(problem_.gradient(point_.y).norm(), 1e-300);
  if (!(slope > 0) || !(rows > 0)) return;
  const double factor = std::clamp(std::sqrt(rows / (slope / whole)), 0.1, 10.0);
  if (factor > 0.25 && factor < 4) return;
  step_.set_rho(rho * factor);
  S_ = V_ + (S_ - V_) / factor;
  changed_ = iterations_;
}

bool RobustAdmm::run(int iterations) {
  for (const int end = iterations_ + iterations; iterations_ < end;) {
    iterate();
    if (iterations_ % between_checks != 0) continue;
    RobustPoint now = evaluated(problem_, aim_, point_.Y, point_.y, point_.price);
    now.lower = std::max(now.lower, point_.lower);
    margin_ = now.margin(aim_);
    const bool done = now.done(aim_);
    point_ = std::move(now);
    if (done) return true;
    balance();
  }
  return false;
}

}  // namespace loopcert
