// Interior points in prices, means and an excess. With x = (v, e), e >= 0 the excess at a high
// price, the conditions of the central path are
//   w_c (tau_c(x)^2 - s_c(w)) = mu,   gradient of (cost of v + penalty e - mu log e) = sum 2 w_c
//   tau_c grad tau_c,
// s_c(w) the squared deviations of the response that is best with weights w: all iterates keep the
// widened limits, and the matrix of Newton's step is positive definite everywhere.
#include "learning/limited_mean.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "learning/limited_dual.hpp"
#include "response/limit_rows.hpp"

namespace loopcert {
namespace {

constexpr double mean_penalty_share = 1e6;  // of the free cost: what limits may be worth at most

struct MeanPlace {
  Vector w;  // C
  Vector x;  // v, then e
};

// Of a step that keeps w positive; at most 1.
double longest_positive(const Vector& w, const Vector& step) {
  constexpr double keep = 0.95;
  double length = 1;
  for (Index c = 0; c < w.size(); ++c)
    if (step(c) < 0) length = std::min(length, -keep * w(c) / step(c));
  return length;
}

class MeanBarrier {
 public:
  MeanBarrier(const LimitedProblem& problem, const MeanProblem& mean)
      : problem_(problem), mean_(mean), dual_(problem), C_(mean.offset.size()), d_(mean.P.rows()) {
    units_.resize(C_);
    for (Index c = 0; c < C_; ++c) {
      const double low = mean.low(c), high = mean.high(c);
      const bool two = std::isfinite(low) && std::isfinite(high);
      units_(c) = two ? 0.5 * (high - low) : std::abs(std::isfinite(high) ? high : low);
    }
    if (d_ > 0) P_.compute(mean.P);
  }

  MeanMinimizer solve(const LimitedOptions& options);

 private:
  struct State {
    MeanPlace at;
    LimitedDual::Point point;
    std::vector<Room> rooms;
    Vector room;  // C: tau^2 - s
    Matrix J;     // C x (d + 1): gradients of tau
    Vector tau;
    bool inside() const { return room.minCoeff() > 0; }
  };

  auto v(const State& s) const { return s.at.x.head(d_); }
  double excess(const State& s) const { return s.at.x(d_); }

  // What follows from the means and the excess.
  void set_rooms(State& s, double e) const {
    const Vector means = means_at(s.at.x.head(d_));
    s.rooms.clear();
    s.J.setZero(C_, d_ + 1);
    s.tau.resize(C_);
    for (Index c = 0; c < C_; ++c) {
      Room r = room_of(mean_.low(c), mean_.high(c), units_(c), means(c), e, mean_.share(c));
      r.deviation /= mean_.factor;
      r.slope /= mean_.factor;
      r.bend /= mean_.factor;
      s.tau(c) = r.deviation;
      if (d_ > 0) s.J.row(c).head(d_) = r.slope(0) * problem_.rows.p.row(c);
      s.J(c, d_) = r.slope(1);
      s.rooms.push_back(r);
    }
    s.room = s.tau.cwiseAbs2() - s.point.deviation;
    for (Index c = 0; c < C_; ++c)
      if (!(s.tau(c) > 0)) s.room(c) = -INFINITY;
  }
  State at(MeanPlace place) {
    State s;
    s.point = dual_.at(place.w);
    s.at = std::move(place);
    set_rooms(s, excess(s));
    return s;
  }
  Vector means_at(const Vector& v) const {
    return d_ > 0 ? Vector(mean_.offset + problem_.rows.p * v) : mean_.offset;
  }
  double cost_of(const Vector& v) const {
    return d_ > 0 ? v.dot(mean_.P * v) + 2 * mean_.slope.dot(v) : 0.0;
  }
  double cost(const State& s) const { return dual_.cost(s.point) + cost_of(v(s)); }

  // Of the cost of v + penalty e - mu log e, less what rooms are worth.
  Vector slope(const State& s, double mu) const {
    Vector g = s.J.transpose() * (-2 * s.at.w.cwiseProduct(s.tau));
    if (d_ > 0) g.head(d_) += 2 * (mean_.P * v(s) + mean_.slope);
    g(d_) += penalty_ - mu / excess(s);
    return g;
  }

  State start();
  MeanPlace direction(const State& s, double mu);
  void centre(State& s, double mu);
  bool advance(State& s, double mu);
  double lower(const State& s) const;
  MeanMinimizer result(const State& s);

  const LimitedProblem& problem_;
  const MeanProblem& mean_;
  LimitedDual dual_;
  Index C_, d_;
  Vector units_;
  Eigen::LLT<Matrix> P_;
  double penalty_ = 0;
  double lower_ = -INFINITY;  // the best so far
};

// Without limits.
MeanBarrier::State MeanBarrier::start() {
  MeanPlace place{Vector::Zero(C_), Vector::Zero(d_ + 1)};
  if (d_ > 0) place.x.head(d_) = -P_.solve(mean_.slope);
  return at(place);
}

// H dw + A dx + (room / w) dw = mu / w - room, N dx - A'dw = -slope, A = 2 tau J.
MeanPlace MeanBarrier::direction(const State& s, double mu) {
  const Vector& w = s.at.w;
  Matrix D = dual_.curvature(s.point);
  D.diagonal() += s.room.cwiseQuotient(w);
  const Vector unit = D.diagonal().cwiseSqrt().cwiseInverse();
  D = unit.asDiagonal() * D * unit.asDiagonal();
  const Eigen::LLT<Matrix> factor(D);
  const auto solve = [&](const Matrix& b) {
    return Matrix(unit.asDiagonal() * factor.solve(unit.asDiagonal() * b));
  };
  const Matrix A = (2 * s.tau).asDiagonal() * s.J;
  const Vector missing = mu / w.array() - s.room.array();
  Matrix N = Matrix::Zero(d_ + 1, d_ + 1);
  if (d_ > 0) N.topLeftCorner(d_, d_) = 2 * mean_.P;
  N(d_, d_) = mu / (excess(s) * excess(s));
  N.noalias() -= s.J.transpose() * (2 * w).asDiagonal() * s.J;
  Matrix bends = Matrix::Zero(C_, d_ + 1);
  for (Index c = 0; c < C_; ++c) {
    const Room& r = s.rooms[static_cast<size_t>(c)];
    if (d_ > 0) bends.row(c).head(d_) = r.along(0) * problem_.rows.p.row(c);
    bends(c, d_) = r.along(1);
    bends.row(c) *= std::sqrt(2 * w(c) * s.tau(c) * r.bend);
  }
  N.noalias() += bends.transpose() * bends;
  const Matrix DA = solve(A);
  N.noalias() += A.transpose() * DA;
  const Vector scale = N.diagonal().cwiseAbs().cwiseSqrt().cwiseInverse();
  N = scale.asDiagonal() * N * scale.asDiagonal();
  N.diagonal().array() += 1e-15;
  const Vector right = -slope(s, mu) + DA.transpose() * missing;
  MeanPlace step;
  step.x = scale.cwiseProduct(Vector(N.ldlt().solve(Vector(scale.cwiseProduct(right)))));
  step.w = solve(missing - A * step.x);
  return step;
}

// Prices at which w_c room_c = mu for these means: the maximum of d(w) - sum w_c tau_c^2 + mu sum
// log w_c. Concave along a line: the slope there says where to stop.
void MeanBarrier::centre(State& s, double mu) {
  constexpr int rounds = 60;
  for (int i = 0; i < rounds; ++i) {
    const Vector slope = mu / s.at.w.array() - s.room.array();
    if (slope.cwiseProduct(s.at.w).cwiseAbs().maxCoeff() < 1e-2 * mu) return;
    Matrix H = dual_.curvature(s.point);
    for (Index c = 0; c < C_; ++c) {
      const double w = s.at.w(c), barrier = mu / (w * w);
      H(c, c) += s.room(c) > 0 ? std::max(s.room(c) / w, 1e-3 * barrier) : barrier;
    }
    const Vector unit = H.diagonal().cwiseSqrt().cwiseInverse();
    H = unit.asDiagonal() * H * unit.asDiagonal();
    H.diagonal().array() += 1e-14;
    const Vector step = unit.cwiseProduct(H.llt().solve(unit.cwiseProduct(slope)));
    const double rise = slope.dot(step);
    double length = longest_positive(s.at.w, step);
    for (int halving = 0;; ++halving) {
      State next = at({s.at.w + length * step, s.at.x});
      const double after = (mu / next.at.w.array() - next.room.array()).matrix().dot(step);
      if (after >= -0.5 * rise || halving == 20) {
        s = std::move(next);
        break;
      }
      length *= std::clamp(rise / (rise - after), 0.1, 0.7);
    }
  }
}

// A step of Newton's in means and excess, to where there is room for the response; prices follow.
// The function of (v, e) that this minimizes is convex. False: it is close enough.
bool MeanBarrier::advance(State& s, double mu) {
  constexpr double keep = 0.95, central = 0.1;
  const MeanPlace d = direction(s, mu);
  const Vector g = slope(s, mu);
  const double fall = -g.dot(d.x);
  double loss = 0;  // of the lower bound
  if (d_ > 0) loss = 0.25 * g.head(d_).dot(P_.solve(g.head(d_)));
  if (!(fall > central * mu) && !(loss > 1e-3 * static_cast<double>(C_) * mu)) return false;
  double length = 1;
  if (d.x(d_) < 0) length = std::min(length, -keep * excess(s) / d.x(d_));
  for (int halving = 0; halving < 40; ++halving, length *= 0.5) {
    const double share = std::min(length, longest_positive(s.at.w, d.w));
    State next = at({s.at.w + share * d.w, s.at.x + length * d.x});
    if (!next.inside()) continue;
    centre(next, mu);
    if (!next.inside() || slope(next, mu).dot(d.x) > 0.5 * fall) continue;
    s = std::move(next);
    return true;
  }
  return false;
}

// With prices lambda_c = 2 w_c tau_c of deviations lambda_c sigma_c(Z) is at least 2 w_c times the
// inner product with the row at w, whose minimizer is that of w, and tau is below its tangents: at
// no excess.
double MeanBarrier::lower(const State& s) const {
  const Vector prices = 2 * s.at.w.cwiseProduct(s.tau);
  const Vector tau = s.tau - s.J.col(d_) * excess(s);
  double bound = cost(s) + 2 * s.at.w.dot(s.point.deviation) - prices.dot(tau);
  if (d_ > 0) {
    const Vector g = 2 * (mean_.P * v(s) + mean_.slope) - s.J.leftCols(d_).transpose() * prices;
    bound -= 0.25 * g.dot(P_.solve(g));
  }
  return bound;
}

MeanMinimizer MeanBarrier::result(const State& s) {
  MeanMinimizer out;
  LimitedMinimizer& r = out.response;
  const double e = excess(s);
  r.Z = dual_.response(s.point);
  r.cost = cost(s);
  r.lower = std::max(lower_, lower(s));
  r.price = 2 * s.at.w.cwiseProduct(s.tau).cwiseProduct(s.J.col(d_));
  r.evaluations = dual_.evaluations;
  out.v = v(s);
  State exact = s;
  set_rooms(exact, 0);
  constexpr double met = 1e-6;
  r.feasible = (exact.room.array() >= -met * s.tau.array().square()).all();
  if (!r.feasible) {
    r.price.maxCoeff(&r.worst);
    r.excess = e;
    r.at_least = false;
    r.violation = violation(mean_.low(r.worst), mean_.high(r.worst), means_at(out.v)(r.worst),
                            std::sqrt(s.point.deviation(r.worst)));
  }
  return out;
}

MeanMinimizer MeanBarrier::solve(const LimitedOptions& options) {
  State now = start();
  const double unit = std::max(std::abs(cost(now)), 1e-300);
  if (now.inside()) return result(now);
  for (Index c = 0; c < C_; ++c)
    if (!(units_(c) > 0)) units_(c) = std::max(std::sqrt(now.point.deviation(c)), 1e-300);
  penalty_ = mean_penalty_share * unit;
  double mu = 0;
  for (double e = 0.25;; e *= 2) {  // limits so wide that there is room; mu that fits the excess
    MeanPlace place = now.at;
    place.x(d_) = e;
    set_rooms(now, e);
    if (!(now.room.array() > 0.75 * now.tau.array().square()).all()) continue;
    mu = penalty_ * e / static_cast<double>(4 * (C_ + 1));
    place.w = mu / now.room.array();
    State next = at(place);
    if (!next.inside()) continue;
    now = std::move(next);
    break;
  }
  while (dual_.evaluations < options.max_evaluations) {
    centre(now, mu);
    for (int i = 0; i < 50 && advance(now, mu); ++i) continue;
    const double lost = static_cast<double>(C_ + 1) * mu, e = excess(now);
    lower_ = std::max(lower_, lower(now));
    const double gap = cost(now) - lower_;
    if (e > 1e-5 ? lost <= 1e-6 * penalty_ * e
                 : gap <= options.relative_gap * std::abs(cost(now)) || lost < 1e-13 * unit)
      break;
    mu *= 0.1;
  }
  return result(now);
}

}  // namespace

MeanMinimizer minimize_under_limits(const LimitedProblem& problem, const MeanProblem& mean,
                                    const LimitedOptions& options) {
  return MeanBarrier(problem, mean).solve(options);
}

}  // namespace loopcert
