#include "learning/robust_interior.hpp"

#include <algorithm>
#include <cmath>

#include "learning/robust_system.hpp"

namespace loopcert {
namespace {

constexpr int most_iterations = 100;
constexpr double keep = 0.99;  // of the way to the boundary

struct RowCone {
  Index row;
  RobustGroup group;
  Cone cone;  // (t, a_g - middle, rest)
};

// Every cone and slack, with multipliers u, z (of rows) and zeta (of the slack e); u_0 = z_c.
struct State {
  Matrix Y;
  Vector s, u;     // of cones
  Vector room, z;  // of rows: what is left of them
  double e = 0, zeta = 0;
};

struct Direction {
  Matrix Y;
  Vector s, u, room, z;
  double e = 0, zeta = 0;
};

class Interior {
 public:
  Interior(const RobustProblem& problem, const RobustAim& aim, const Matrix& start)
      : problem_(problem), aim_(aim), C_(problem.p.rows()) {
    Index size = 0;
    for (Index c = 0; c < C_; ++c)
      for (const RobustGroup& group : problem.rows.at(c).groups) {
        const Index k = 1 + group.width + (group.rest > 0 ? 1 : 0);
        cones_.push_back({size, k});
        rows_.push_back({c, group, cones_.back()});
        size += k;
      }
    at_.s.resize(size);
    at_.u.resize(size);
    begin(start);
  }

  RobustPoint run() {
    for (best_.iterations = 0; best_.iterations < most_iterations; ++best_.iterations) {
      note();
      if (best_.done) break;
      if (!step()) break;
    }
    return std::move(best_);
  }

 private:
  bool free(Index c) const { return problem_.rows.at(c).end > 0; }
  Index free_rows() const {
    Index count = 0;
    for (Index c = 0; c < C_; ++c) count += free(c) ? 1 : 0;
    return count;
  }

  // The a-parts of cones, and what rows leave: room + e - sum of t - side a_0.
  Matrix set_entries(const Matrix& Y, Vector& s) const {
    Matrix A = problem_.entries(Y);
    for (const RowCone& r : rows_) {
      auto x = s.segment(r.cone.begin + 1, r.group.width);
      x = A.col(r.row).segment(r.group.begin, r.group.width);
      if (r.group.middle != 0) x(0) -= r.group.middle;
      if (r.group.rest > 0) s(r.cone.begin + r.cone.size - 1) = r.group.rest;
    }
    return A;
  }
  Vector left_of_rows(const Matrix& A, const Vector& s, double e) const {
    Vector left(C_);
    for (Index c = 0; c < C_; ++c) {
      const RobustRow& row = problem_.rows.at(c);
      left(c) = row.room + e - (row.side != 0 ? row.side * A(0, c) : 0.0);
    }
    for (const RowCone& r : rows_) left(r.row) -= s(r.cone.begin);
    return left;
  }

  void begin(const Matrix& start) {
    at_.Y = start;
    const Matrix A = set_entries(start, at_.s);
    const auto count = static_cast<double>(free_rows());
    const double z = 0.5 * aim_.penalty / count;
    const double mu = z * count / static_cast<double>(rows_.size() + 1);
    at_.z.setConstant(C_, z);
    for (const RowCone& r : rows_) {  // on the central path: u = mu s^-1 with u_0 = z
      const Index k = r.cone.size - 1;
      const double rho = at_.s.segment(r.cone.begin + 1, k).norm();
      const double t = (mu + std::hypot(mu, 2 * z * rho)) / (2 * z);
      at_.s(r.cone.begin) = t;
      at_.u(r.cone.begin) = z;
      at_.u.segment(r.cone.begin + 1, k) = -z / t * at_.s.segment(r.cone.begin + 1, k);
    }
    const Vector left = left_of_rows(A, at_.s, 0);
    least_e_ = std::max(0.0, problem_.rows.least_slack());
    at_.e = 1 - std::min(0.0, left.minCoeff());
    at_.room = left.array() + (at_.e + least_e_);
    at_.zeta = 0.5 * aim_.penalty;
    for (Index c = 0; c < C_; ++c)
      if (!free(c)) at_.room(c) = 1, at_.z(c) = 0;
  }

  // y with multipliers of entries, from u and z.
  Matrix multipliers(const Vector& u, const Vector& z) const {
    Matrix y = Matrix::Zero(problem_.a.rows(), C_);
    for (Index c = 0; c < C_; ++c)
      if (problem_.rows.at(c).side != 0) y(0, c) = problem_.rows.at(c).side * z(c);
    for (const RowCone& r : rows_)
      y.col(r.row).segment(r.group.begin, r.group.width) =
          -u.segment(r.cone.begin + 1, r.group.width);
    return y;
  }

  double gap() const {
    double sum = at_.s.dot(at_.u) + at_.e * at_.zeta;
    for (Index c = 0; c < C_; ++c) sum += at_.room(c) * at_.z(c);
    return sum;
  }
  double degree() const { return static_cast<double>(std::ssize(rows_) + free_rows() + 1); }

  // What this iterate proves.
  void note() {
    const double cost = problem_.cost(at_.Y);
    const double slack = problem_.rows.overshoot(problem_.entries(at_.Y)).maxCoeff();
    Matrix y = multipliers(at_.u, at_.z);
    Vector price = at_.z;
    const double lower = problem_.lower_bound(y, price);
    if (lower > best_.lower || best_.price.size() == 0) best_.price = price;
    best_.lower = std::max(best_.lower, lower);
    // With the slack: prices of at most the penalty, and what is missing buys the least slack.
    const double sum = price.sum();
    if (sum > aim_.penalty) {
      y *= aim_.penalty / sum;
      price *= aim_.penalty / sum;
    }
    elastic_ = std::max(
        elastic_, problem_.lower_bound(y, price) + std::max(0.0, aim_.penalty - sum) * least_e_);
    const auto value = [&](double c, double over) {
      return c + aim_.penalty * std::max(over, least_e_);
    };
    const bool better =
        slack <= 0 ? !(best_.slack <= 0 && best_.cost <= cost)
                   : best_.slack > 0 && !(value(best_.cost, best_.slack) <= value(cost, slack));
    if (better) {
      best_.Y = at_.Y;
      best_.cost = cost;
      best_.slack = slack;
    }
    if (best_.slack <= 0) {
      best_.done = best_.cost - best_.lower <= aim_.relative_gap * std::abs(best_.cost);
    } else {
      const double gap = (value(best_.cost, best_.slack) - elastic_) / aim_.penalty;
      best_.least_slack = best_.slack - gap;
      best_.done = gap <= aim_.excess_gap * (1 + best_.slack) && best_.least_slack > 0;
    }
  }

  void measure(const ConeScaling& scaling) {
    const Index free_columns = problem_.a.rows();
    curvature_.blocks.clear();
    curvature_.normal.setZero(free_columns, C_);
    curvature_.h.setZero(free_columns, C_);
    softness_.setZero(C_);  // sum of 1 / A
    stiffness_.resize(std::ssize(rows_));
    for (size_t i = 0; i < rows_.size(); ++i) {
      const RowCone& r = rows_[i];
      const double beta = scaling.beta(static_cast<Index>(i)), across = 1 / (beta * beta);
      const auto w = scaling.w.segment(r.cone.begin, r.cone.size);
      const auto wa = w.segment(1, r.group.width);
      const double two = 2 * w(0) * w(0) - 1, length = wa.norm();
      const double rest = r.group.rest > 0 ? w(r.cone.size - 1) : 0;
      curvature_.blocks.push_back(
          {r.row, r.group.begin, r.group.width, across, (1 + 2 * rest * rest) / two});
      if (length > 0)
        curvature_.normal.col(r.row).segment(r.group.begin, r.group.width) = wa / length;
      // W^-2 = across (2 (J w)(J w)' - J)
      curvature_.h.col(r.row).segment(r.group.begin, r.group.width) = -2 * w(0) / two * wa;
      stiffness_(static_cast<Index>(i)) = across * two;
      softness_(r.row) += 1 / (across * two);
    }
    curvature_.beta.setOnes(C_);
    for (Index c = 0; c < C_; ++c) {
      if (!free(c)) continue;
      const double omega = at_.z(c) / at_.room(c);
      curvature_.beta(c) = omega / (1 + omega * softness_(c));
      if (problem_.rows.at(c).side != 0) curvature_.h(0, c) = -problem_.rows.at(c).side;
    }
    curvature_.elastic = at_.zeta / at_.e;
  }

  // Towards complementarity mu, with the second-order terms of `before` if there is one.
  Direction direction(const RobustSystem& system, const ConeScaling& scaling, double mu,
                      const Direction* before) const {
    const Matrix A = problem_.entries(at_.Y);
    const Vector missing = at_.room - left_of_rows(A, at_.s, at_.e + least_e_);
    const Vector f = scaling.right_side(cones_, mu, before ? before->s : Vector(),
                                        before ? before->u : Vector());
    Vector sum = Vector::Zero(C_);  // of f_0 / A over the groups of a row
    Matrix y = Matrix::Zero(A.rows(), C_);
    for (size_t i = 0; i < rows_.size(); ++i) {
      const RowCone& r = rows_[i];
      const double f0 = f(r.cone.begin);
      sum(r.row) += f0 / stiffness_(static_cast<Index>(i));
      y.col(r.row).segment(r.group.begin, r.group.width) =
          curvature_.h.col(r.row).segment(r.group.begin, r.group.width) * f0 -
          f.segment(r.cone.begin + 1, r.group.width);
    }
    Vector g = Vector::Zero(C_);
    for (Index c = 0; c < C_; ++c) {
      if (!free(c)) continue;
      const double second = before ? before->room(c) * before->z(c) : 0.0;
      const double row = (mu - second) / at_.room(c) - at_.z(c);
      const double omega = at_.z(c) / at_.room(c);
      g(c) = (row + omega * (missing(c) + sum(c))) / (1 + omega * softness_(c));
    }
    Matrix right = 2 * (problem_.G + at_.Y * problem_.Sigma);
    problem_.keep_causal(right);
    const Matrix now = multipliers(at_.u, at_.z);
    const double second_e = before ? before->e * before->zeta : 0.0;
    const double f_e = (mu - second_e) / at_.e - at_.zeta;
    double prices = 0, betas = 0;
    for (Index c = 0; c < C_; ++c)
      if (free(c)) prices += at_.z(c), betas += curvature_.beta(c);
    const double right_e =
        (g.sum() + f_e - (aim_.penalty - prices - at_.zeta)) / (betas + curvature_.elastic);
    Vector used = g;
    for (Index c = 0; c < C_; ++c)
      if (free(c)) used(c) -= curvature_.beta(c) * right_e;
    const Matrix change = curvature_.h * used.asDiagonal();
    right = -right - problem_.gradient(now + y - change);
    Direction d;
    d.Y = system.solve(right);
    const Matrix dA = d.Y.transpose() * problem_.p.transpose();
    const Vector along = curvature_.h.cwiseProduct(dA).colwise().sum().transpose();
    d.z = g;
    double pull = 0;
    for (Index c = 0; c < C_; ++c)
      if (free(c)) pull += curvature_.beta(c) * along(c);
    d.e = right_e - pull / (betas + curvature_.elastic);
    d.zeta = f_e - curvature_.elastic * d.e;
    for (Index c = 0; c < C_; ++c)
      if (free(c)) d.z(c) -= curvature_.beta(c) * (along(c) + d.e);
    complete(scaling, f, dA, missing, d);
    return d;
  }

  // Cones and rows, once the response's and prices' changes are known.
  void complete(const ConeScaling& scaling, const Vector& f, const Matrix& dA,
                const Vector& missing, Direction& d) const {
    d.s.setZero(at_.s.size());
    d.u.resize(at_.u.size());
    d.room = d.e - missing.array();
    for (Index c = 0; c < C_; ++c)
      if (problem_.rows.at(c).side != 0) d.room(c) -= problem_.rows.at(c).side * dA(0, c);
    for (size_t i = 0; i < rows_.size(); ++i) {
      const RowCone& r = rows_[i];
      const auto da = dA.col(r.row).segment(r.group.begin, r.group.width);
      const auto h = curvature_.h.col(r.row).segment(r.group.begin, r.group.width);
      auto ds = d.s.segment(r.cone.begin, r.cone.size);
      ds.segment(1, r.group.width) = da;
      ds(0) = (f(r.cone.begin) - d.z(r.row)) / stiffness_(static_cast<Index>(i)) - h.dot(da);
      d.room(r.row) -= ds(0);
      // du = f - W^-2 ds
      Vector flipped = scaling.w.segment(r.cone.begin, r.cone.size);
      flipped.tail(r.cone.size - 1) *= -1;
      const double beta = scaling.beta(static_cast<Index>(i));
      Vector image = 2 * flipped.dot(ds) * flipped;
      image(0) -= ds(0);
      image.tail(r.cone.size - 1) += ds.tail(r.cone.size - 1);
      d.u.segment(r.cone.begin, r.cone.size) =
          f.segment(r.cone.begin, r.cone.size) - image / (beta * beta);
      d.u(r.cone.begin) = d.z(r.row);
    }
    for (Index c = 0; c < C_; ++c)
      if (!free(c)) d.room(c) = d.z(c) = 0;
  }

  double longest(const Direction& d) const {
    double most = 1 / keep;
    for (const Cone& cone : cones_) {
      most = longest_step(cone, at_.s, d.s, most);
      most = longest_step(cone, at_.u, d.u, most);
    }
    for (Index c = 0; c < C_; ++c) {
      if (d.room(c) < 0) most = std::min(most, -at_.room(c) / d.room(c));
      if (d.z(c) < 0) most = std::min(most, -at_.z(c) / d.z(c));
    }
    if (d.e < 0) most = std::min(most, -at_.e / d.e);
    if (d.zeta < 0) most = std::min(most, -at_.zeta / d.zeta);
    return most;
  }

  bool step() {
    const ConeScaling scaling(cones_, at_.s, at_.u);
    measure(scaling);
    const RobustSystem system(problem_, curvature_);
    const double mu = gap() / degree();
    const Direction ahead = direction(system, scaling, 0, nullptr);
    const double far = std::min(1.0, longest(ahead));
    if (!(far >= 0)) return false;
    const double centring = std::pow(1 - far, 3);
    const Direction d = direction(system, scaling, centring * mu, &ahead);
    const double length = std::min(1.0, keep * longest(d));
    if (!(length > 1e-9)) return false;
    at_.Y += length * d.Y;
    at_.s += length * d.s;
    at_.u += length * d.u;
    at_.room += length * d.room;
    at_.z += length * d.z;
    at_.e += length * d.e;
    at_.zeta += length * d.zeta;
    set_entries(at_.Y, at_.s);
    return at_.Y.allFinite() && at_.u.allFinite();
  }

  const RobustProblem& problem_;
  const RobustAim& aim_;
  Index C_;
  std::vector<Cone> cones_;
  std::vector<RowCone> rows_;
  State at_;
  double least_e_ = 0;
  RobustCurvature curvature_;
  Vector softness_, stiffness_;
  RobustPoint best_;
  double elastic_ = -INFINITY;  // no Y and slack do better
};

}  // namespace

RobustPoint interior_point(const RobustProblem& problem, const RobustAim& aim,
                           const Matrix& start) {
  return Interior(problem, aim, start).run();
}

}  // namespace loopcert
