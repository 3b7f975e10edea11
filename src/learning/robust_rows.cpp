#include "learning/robust_rows.hpp"

#include <algorithm>

namespace loopcert {
namespace {

// Half the width of an interval, or how far its only end is from zero.
double unit_of_limits(double low, double high) {
  if (std::isfinite(low) && std::isfinite(high)) return 0.5 * (high - low);
  return std::abs(std::isfinite(high) ? high : low);
}

double norm_of(const RobustGroup& group, const double* a) {
  const Eigen::Map<const Vector> entries(a + group.begin, group.width);
  return group.width == 1 ? std::abs(entries(0) - group.middle) : entries.norm();
}

}  // namespace

double RobustRow::size(const double* a) const {
  double total = side * (side == 0 ? 0.0 : a[0]);
  for (const RobustGroup& group : groups) total += std::hypot(norm_of(group, a), group.rest);
  return total;
}

RobustRows::RobustRows(const CausalPattern& pattern, const std::string& shape, const Vector& counts,
                       const Matrix& p, const Matrix& a, const Vector& low, const Vector& high) {
  const Sizes& s = pattern.sizes;
  const Index first = pattern.first_free_column(), free = pattern.end_free_column() - first;
  const Index constants = pattern.constant ? 1 : 0, lead = pattern.affine ? 1 : 0;
  const Index group_width = shape == "box" ? 1 : shape == "steps" ? s.n_w : s.d_w();
  unit_.resize(p.rows());
  for (Index c = 0; c < p.rows(); ++c) {
    // Groups of one row of all d_z columns from entry `begin` on.
    const auto fixed = [&](Index begin, Index end) {
      return a.row(c)
          .segment(constants + begin, end - begin)
          .cwiseProduct(counts.segment(constants + begin, end - begin).transpose())
          .norm();
    };
    double all = 0;
    for (Index begin = 0; begin < s.d_w(); begin += group_width)
      all += fixed(begin, begin + group_width);
    unit_(c) = unit_of_limits(low(c), high(c));
    if (!(unit_(c) > 0)) unit_(c) = all > 0 ? all : 1;

    RobustRow row;
    Index last = p.cols();  // one past the last input that the row depends on
    while (last > 0 && p(c, last - 1) == 0) --last;
    while (row.end < free && pattern.first_row(first + row.end) < last) ++row.end;
    const double u = unit_(c), mean = pattern.constant ? a(c, 0) : 0;
    const bool both = std::isfinite(low(c)) && std::isfinite(high(c));
    const double middle = both ? 0.5 * (low(c) + high(c)) / u : 0;
    row.room = both ? 1 : (std::isfinite(high(c)) ? high(c) : -low(c)) / u;
    if (lead > 0 && row.end > 0) {
      if (both)
        row.groups.push_back({.begin = 0, .middle = middle});
      else
        row.side = std::isfinite(high(c)) ? 1 : -1;
    } else {  // the constant is what it is
      row.room -= both                     ? std::abs(mean / u - middle)
                  : std::isfinite(high(c)) ? mean / u
                                           : -mean / u;
    }
    const Index moves = std::max<Index>(row.end - lead, 0);
    double rest = 0;  // of the group that `end` cuts
    for (Index begin = 0; begin < s.d_w(); begin += group_width) {
      const Index end = begin + group_width;
      const double unmoved = end > moves ? fixed(std::max(begin, moves), end) / u : 0;
      if (begin >= moves)
        row.room -= unmoved;
      else if (counts(constants + begin) != 0)
        row.groups.push_back({.begin = lead + begin,
                              .width = std::min(group_width, moves - begin),
                              .rest = unmoved});
      if (begin < moves) rest += unmoved;
    }
    if (row.side == 0) least_ = std::max(least_, rest - row.room);
    rows_.push_back(std::move(row));
  }
}

Vector RobustRows::overshoot(const Matrix& A) const {
  Vector over(count());
  for (Index c = 0; c < count(); ++c) over(c) = at(c).size(A.col(c).data()) - at(c).room;
  return over;
}

double RobustRows::support(Matrix& y, Vector& price) const {
  double bound = 0;
  for (Index c = 0; c < count(); ++c) {
    const RobustRow& row = at(c);
    if (row.end == 0) continue;
    double* values = y.col(c).data();
    double& lambda = price(c);
    const auto norm = [&](const RobustGroup& group) {
      return Eigen::Map<const Vector>(values + group.begin, group.width).norm();
    };
    for (const RobustGroup& group : row.groups) lambda = std::max(lambda, norm(group));
    // <y, a> <= lambda size(a) - rest sqrt(lambda^2 - ||y_g||^2), by Cauchy and Schwarz in every
    // group
    bound += lambda * row.room;
    for (const RobustGroup& group : row.groups) {
      const double length = norm(group);
      bound -= group.rest * std::sqrt((lambda - length) * (lambda + length));
      if (group.middle != 0) bound += values[group.begin] * group.middle;
    }
    if (row.side != 0) values[0] = row.side * lambda;
  }
  return bound;
}

}  // namespace loopcert
