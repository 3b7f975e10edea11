// Derivatives of projections onto robust limits.
#include <algorithm>

#include "learning/robust_rows.hpp"

namespace loopcert {
namespace {

// A group of norm `length` becomes one of norm alpha in the same direction. With a rest, alpha
// (1 + threshold / h) = length, h^2 = alpha^2 + rest^2; without, alpha = length - threshold.
struct GroupChange {
  double alpha = 0;
  double slope = 1;  // d alpha / d length
  double pull = 1;   // alpha / h: d size / d alpha, and -d alpha / d threshold over slope
};

GroupChange group_change(double length, double rest, double threshold, double alpha) {
  if (rest == 0) return {std::max(length - threshold, 0.0), length > threshold ? 1.0 : 0.0, 1};
  const double h = std::hypot(alpha, rest);
  return {alpha, 1 / (1 + threshold * rest * rest / (h * h * h)), alpha / h};
}

}  // namespace

// action(begin, width, rest) for groups that count.
template <class Action>
void RobustRows::for_groups(const Row& row, const Action& action) const {
  for (Index begin = lead_; begin < row.end; begin += width_) {
    const Index width = std::min(width_, row.end - begin);
    if (counts_(begin) != 0) action(begin, width, width < width_ ? row.rest : 0.0);
  }
}

void RobustRows::residual_change(const Matrix& S, const Vector& price, bool elastic,
                                 Matrix& D) const {
  // size stays at room + slack: sum of pull * d alpha = d slack, which gives d threshold =
  // (drift - d slack) / stiffness.
  Vector drift = Vector::Zero(count()), stiffness = Vector::Ones(count());
  double drifts = 0, softness = 0;
  const auto change_of = [&](Index c, Index begin, Index width, double rest) {
    const double length = S.col(c).segment(begin, width).norm();
    return group_change(length, rest, price(c), rest > 0 ? cut(length, rest, price(c)) : 0.0);
  };
  for (Index c = 0; c < count(); ++c) {
    if (!(price(c) > 0)) continue;
    const Row& row = at(c);
    double sum = 0, weight = 0;
    if (row.side == 2) {
      const double m = S(0, c) - row.middle;
      if (std::abs(m) > price(c)) sum += m > 0 ? D(0, c) : -D(0, c), weight += 1;
    } else if (row.side != 0) {
      sum += row.side * D(0, c), weight += 1;
    }
    for_groups(row, [&](Index begin, Index width, double rest) {
      const GroupChange g = change_of(c, begin, width, rest);
      if (g.alpha <= 0) return;
      const auto s = S.col(c).segment(begin, width);
      sum += g.pull * g.slope * s.dot(D.col(c).segment(begin, width)) / s.norm();
      weight += g.pull * g.pull * g.slope;
    });
    drift(c) = sum;
    stiffness(c) = std::max(weight, 1e-300);
    drifts += sum / stiffness(c);
    softness += 1 / stiffness(c);
  }
  const double slack = elastic && softness > 0 ? drifts / softness : 0;
  for (Index c = 0; c < count(); ++c) {
    if (!(price(c) > 0)) {
      D.col(c).setZero();
      continue;
    }
    const Row& row = at(c);
    const double change = (drift(c) - slack) / stiffness(c);  // of the threshold
    if (row.side == 2) {
      const double m = S(0, c) - row.middle;
      if (std::abs(m) > price(c)) D(0, c) = m > 0 ? change : -change;
    } else if (row.side != 0) {
      D(0, c) = row.side * change;
    }
    for_groups(row, [&](Index begin, Index width, double rest) {
      const GroupChange g = change_of(c, begin, width, rest);
      if (g.alpha <= 0) return;  // projected to zero, and stays there: all of D
      auto d = D.col(c).segment(begin, width);
      const Vector direction = S.col(c).segment(begin, width).normalized();
      const double length = S.col(c).segment(begin, width).norm(), along = direction.dot(d);
      // d (s alpha / length) = direction * d alpha + alpha / length * (d - direction * along)
      const double d_alpha = g.slope * (along - g.pull * change);
      d -= direction * (d_alpha - g.alpha / length * along) + g.alpha / length * Vector(d);
    });
    D.col(c).tail(D.rows() - row.end).setZero();
    for (Index j = lead_; j < row.end; ++j)
      if (counts_(j) == 0) D(j, c) = 0;
  }
}

Matrix RobustRows::residual_diagonal(const Matrix& S, const Vector& price) const {
  Matrix W = Matrix::Zero(S.rows(), S.cols());
  for (Index c = 0; c < count(); ++c) {
    if (!(price(c) > 0)) continue;
    const Row& row = at(c);
    if (row.side == 2 && std::abs(S(0, c) - row.middle) <= price(c)) W(0, c) = 1;
    for_groups(row, [&](Index begin, Index width, double rest) {
      const double length = S.col(c).segment(begin, width).norm();
      const double alpha = cut(length, rest, price(c));
      const double across = alpha > 0 ? 1 - alpha / length : 1;
      for (Index j = begin; j < begin + width; ++j) {
        const double along = alpha > 0 ? S(j, c) / length : 0;
        W(j, c) = across * (1 - along * along);
      }
    });
  }
  return W;
}

}  // namespace loopcert
