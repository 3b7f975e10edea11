#include "learning/robust_rows.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace loopcert {
namespace {

// Half the width of an interval, or how far its only end is from zero.
double unit_of_limits(double low, double high) {
  if (std::isfinite(low) && std::isfinite(high)) return 0.5 * (high - low);
  return std::abs(std::isfinite(high) ? high : low);
}

}  // namespace

// The alpha at which alpha (1 + threshold / sqrt(alpha^2 + rest^2)) = length: Newton's steps on a
// concave function, from below, never pass it.
double RobustRows::cut(double length, double rest, double threshold) {
  if (rest == 0) return std::max(length - threshold, 0.0);
  double alpha = 0;
  for (int i = 0; i < 100; ++i) {
    const double norm = std::hypot(alpha, rest), share = rest / norm;
    const double step =
        (length - alpha * (1 + threshold / norm)) / (1 + threshold / norm * share * share);
    alpha += step;
    if (!(step > 1e-16 * alpha)) break;
  }
  return alpha;
}

RobustRows::RobustRows(const CausalPattern& pattern, const std::string& shape, const Vector& counts,
                       const Matrix& p, const Matrix& a, const Vector& low, const Vector& high) {
  const Sizes& s = pattern.sizes;
  const Index first = pattern.first_free_column(), free = pattern.end_free_column() - first;
  const Index constants = pattern.constant ? 1 : 0;
  lead_ = pattern.affine ? 1 : 0;
  width_ = shape == "box" ? 1 : shape == "steps" ? s.n_w : s.d_w();
  counts_ = counts.segment(first, free);
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
    for (Index begin = 0; begin < s.d_w(); begin += width_) all += fixed(begin, begin + width_);
    unit_(c) = unit_of_limits(low(c), high(c));
    if (!(unit_(c) > 0)) unit_(c) = all > 0 ? all : 1;

    Row row;
    Index last = p.cols();  // one past the last input that the row depends on
    while (last > 0 && p(c, last - 1) == 0) --last;
    while (row.end < free && pattern.first_row(first + row.end) < last) ++row.end;
    const double u = unit_(c), mean = pattern.constant ? a(c, 0) : 0;
    const bool both = std::isfinite(low(c)) && std::isfinite(high(c));
    row.middle = both ? 0.5 * (low(c) + high(c)) / u : 0;
    row.room = both ? 1 : (std::isfinite(high(c)) ? high(c) : -low(c)) / u;
    if (lead_ > 0 && row.end > 0)
      row.side = both ? 2 : std::isfinite(high(c)) ? 1 : -1;
    else  // the constant is what it is
      row.room -= both                     ? std::abs(mean / u - row.middle)
                  : std::isfinite(high(c)) ? mean / u
                                           : -mean / u;
    for (Index begin = 0; begin < s.d_w(); begin += width_) {
      const Index moves = std::max<Index>(row.end - lead_, 0), end = begin + width_;
      if (end <= moves) continue;
      const double rest = fixed(std::max(begin, moves), end) / u;
      if (begin < moves)
        row.rest = rest;
      else
        row.room -= rest;
    }
    if (row.side != 1 && row.side != -1) least_ = std::max(least_, row.rest - row.room);
    rows_.push_back(row);
  }
}

RobustRows::Lengths RobustRows::lengths(const Row& row, const double* a) const {
  Lengths out;
  if (row.side == 2)
    out.norms.push_back(std::abs(a[0] - row.middle));
  else if (row.side != 0)
    out.linear = row.side * a[0];
  for (Index begin = lead_; begin < row.end; begin += width_) {
    const Index width = std::min(width_, row.end - begin);
    if (counts_(begin) == 0) continue;
    const double norm =
        width == 1 ? std::abs(a[begin]) : Eigen::Map<const Vector>(a + begin, width).norm();
    if (width < width_ && row.rest > 0)
      out.cut = norm;
    else
      out.norms.push_back(norm);
  }
  std::sort(out.norms.begin(), out.norms.end(), std::greater<>());
  double sum = 0;
  for (const double norm : out.norms) out.sums.push_back(sum += norm);
  return out;
}

double RobustRows::size(const Row& row, const Lengths& l, double threshold) const {
  const auto end = std::partition_point(l.norms.begin(), l.norms.end(),
                                        [&](double norm) { return norm > threshold; });
  const auto k = static_cast<size_t>(end - l.norms.begin());
  double total = k > 0 ? l.sums[k - 1] - static_cast<double>(k) * threshold : 0;
  if (row.side == 1 || row.side == -1) total += l.linear - threshold;
  return total + (row.rest > 0 ? std::hypot(cut(l.cut, row.rest, threshold), row.rest) : 0);
}

double RobustRows::threshold(const Row& row, const Lengths& l, double room) const {
  if (size(row, l, 0) <= room) return 0;
  const bool linear = row.side == 1 || row.side == -1;
  if (!linear && !(room > row.rest)) {
    if (row.rest > 0 || room < 0 || l.norms.empty()) return INFINITY;
    return l.norms[0];
  }
  if (row.rest == 0) {  // sum over the k largest of (norm - threshold) + linear - threshold = room
    const auto excess = [&](size_t k) { return (k > 0 ? l.sums[k - 1] : 0.0) + l.linear - room; };
    const double extra = linear ? 1 : 0;
    size_t low = linear ? 0 : 1, high = l.norms.size();
    while (low < high) {
      const size_t k = (low + high + 1) / 2;
      if (l.norms[k - 1] * (static_cast<double>(k) + extra) > excess(k))
        low = k;
      else
        high = k - 1;
    }
    return excess(low) / (static_cast<double>(low) + extra);
  }
  if (!linear && l.norms.empty()) {  // a ball cut at `rest` from its centre
    const double radius = std::sqrt((room - row.rest) * (room + row.rest));
    return (l.cut - radius) * room / radius;
  }
  double low = 0, high = 1;
  while (size(row, l, high) > room && high < 1e300) low = std::exchange(high, 2 * high);
  for (int i = 0; i < 200 && high - low > 1e-16 * high; ++i) {
    const double middle = 0.5 * (low + high);
    (size(row, l, middle) > room ? low : high) = middle;
  }
  return high;
}

void RobustRows::remove(const Row& row, double threshold, double* a) const {
  const auto removed = [&](double norm) { return norm > threshold ? threshold / norm : 1.0; };
  if (row.side == 2)
    a[0] = (a[0] - row.middle) * removed(std::abs(a[0] - row.middle));
  else if (row.side != 0)
    a[0] = row.side * threshold;
  for (Index begin = lead_; begin < row.end; begin += width_) {
    const Index width = std::min(width_, row.end - begin);
    Eigen::Map<Vector> group(a + begin, width);
    const double norm = width == 1 ? std::abs(a[begin]) : group.norm();
    if (counts_(begin) == 0)
      group.setZero();
    else if (width == width_ || row.rest == 0)
      group *= removed(norm);
    else if (std::isfinite(threshold))  // 1 - alpha / norm, without cancellation
      group *= threshold / (threshold + std::hypot(cut(norm, row.rest, threshold), row.rest));
  }
  std::fill(a + row.end, a + counts_.size(), 0.0);
}

Vector RobustRows::overshoot(const Matrix& A) const {
  Vector over(count());
  for (Index c = 0; c < count(); ++c)
    over(c) = size(at(c), lengths(at(c), A.col(c).data()), 0) - at(c).room;
  return over;
}

void RobustRows::remove(double margin, Matrix& A, Vector& price) const {
  price.setZero(count());
  for (Index c = 0; c < count(); ++c) {
    if (free(c)) price(c) = threshold(at(c), lengths(at(c), A.col(c).data()), at(c).room - margin);
    if (price(c) > 0)
      remove(at(c), price(c), A.col(c).data());
    else
      A.col(c).setZero();
  }
}

double RobustRows::remove_elastic(double weight, Matrix& A, Vector& price) const {
  std::vector<Lengths> all;
  double most = -INFINITY;
  for (Index c = 0; c < count(); ++c) {
    all.push_back(lengths(at(c), A.col(c).data()));
    if (free(c)) most = std::max(most, size(at(c), all.back(), 0) - at(c).room);
  }
  const auto prices = [&](double slack) {  // they fall as the slack grows
    for (Index c = 0; c < count(); ++c)
      price(c) = free(c) ? threshold(at(c), all[static_cast<size_t>(c)], at(c).room + slack) : 0;
    return price.sum();
  };
  price.resize(count());
  double high = std::max(most, least_), low = high - 1;
  while (low > least_ && prices(low) < weight) low = high - 2 * (high - low);
  low = std::max(low, least_);
  for (int i = 0; i < 200 && high - low > 1e-16 * (1 + std::abs(high)); ++i) {
    const double middle = 0.5 * (low + high);
    (prices(middle) > weight ? low : high) = middle;
  }
  prices(high);
  for (Index c = 0; c < count(); ++c)
    if (price(c) > 0)
      remove(at(c), price(c), A.col(c).data());
    else
      A.col(c).setZero();
  return high;
}

double RobustRows::support(Matrix& y, Vector& price) const {
  double bound = 0;
  for (Index c = 0; c < count(); ++c) {
    const Row& row = at(c);
    if (!free(c)) continue;
    double* values = y.col(c).data();
    Row centred = row;
    centred.middle = 0;
    const Lengths l = lengths(centred, values);
    double& lambda = price(c);
    lambda = std::max({lambda, l.cut, l.norms.empty() ? 0.0 : l.norms[0]});
    // <y, a> <= lambda size(a) - rest sqrt(lambda^2 - cut^2), by Cauchy and Schwarz in every group
    bound += lambda * row.room - row.rest * std::sqrt((lambda - l.cut) * (lambda + l.cut));
    if (row.side == 2) bound += values[0] * row.middle;
    if (row.side == 1 || row.side == -1) values[0] = row.side * lambda;
  }
  return bound;
}

}  // namespace loopcert
