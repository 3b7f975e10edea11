#include "response/limit_rows.hpp"

#include <algorithm>
#include <cmath>

namespace loopcert {
namespace {

double normal_tail(double x) { return 0.5 * std::erfc(x / std::sqrt(2.0)); }

// g_x'X_t + g_u'U_t for every row at its step.
Matrix rows_of(const Limits& limits, const Sizes& s, const MatrixView& X, const MatrixView& U) {
  Matrix rows(limits.count(), X.cols());
  Index c = 0;
  for (const LimitAt& at : limits_at_steps(limits)) {
    const LimitRow& row = limits.rows[static_cast<size_t>(at.row)];
    rows.row(c).noalias() = row.x.transpose() * X.middleRows(at.t * s.n_x, s.n_x);
    if (!row.u.isZero(0.0))
      rows.row(c).noalias() += row.u.transpose() * U.middleRows(at.t * s.n_u, s.n_u);
    ++c;
  }
  return rows;
}

}  // namespace

RowResponses row_responses(const Limits& limits, const Sizes& sizes, const Response& response) {
  RowResponses rows;
  rows.a = rows_of(limits, sizes, response.Phi_x, response.Phi_u);
  rows.m = rows_of(limits, sizes, response.phi_x, response.phi_u);
  rows.low.resize(rows.m.size());
  rows.high.resize(rows.m.size());
  Index c = 0;
  for (const LimitAt& at : limits_at_steps(limits)) {
    rows.low(c) = limits.rows[static_cast<size_t>(at.row)].low;
    rows.high(c++) = limits.rows[static_cast<size_t>(at.row)].high;
  }
  return rows;
}

RowCoordinates row_coordinates(const Limits& limits, const Coordinates& c) {
  const Sizes& sizes = c.pattern.sizes;
  return {rows_of(limits, sizes, c.G_T, c.T_u), rows_of(limits, sizes, c.Phi_x0, c.Phi_u0)};
}

double violation(double low, double high, double mean, double deviation) {
  if (!(low < mean && mean < high) || !std::isfinite(deviation)) return 1;
  if (deviation == 0) return 0;
  return std::min(1.0,
                  normal_tail((high - mean) / deviation) + normal_tail((mean - low) / deviation));
}

double largest_deviation(double low, double high, double mean, double probability) {
  if (!(low < mean && mean < high)) return 0;
  const double nearest = std::min(high - mean, mean - low);
  // Between these the answer lies: both sides as near as the nearest, or that side alone.
  double least = 0, most = nearest;
  while (violation(low, high, mean, most) <= probability) {
    least = most;
    most *= 2;
    if (!std::isfinite(most)) return INFINITY;  // one side, and a probability of one half or more
  }
  for (int i = 0; i < 200 && most - least > 1e-15 * most; ++i) {
    const double middle = 0.5 * (least + most);
    (violation(low, high, mean, middle) <= probability ? least : most) = middle;
  }
  return least;
}

Vector reaches(const BoundedSet& set, const Sizes& s, const Matrix& a) {
  if (set.shape == "box") return a.cwiseAbs() * set.size.replicate(s.T + 1, 1);
  if (set.shape == "radius") return set.size(0) * a.rowwise().norm();
  Vector reach = Vector::Zero(a.rows());
  for (Index t = 0; t <= s.T; ++t) reach += a.middleCols(t * s.n_w, s.n_w).rowwise().norm();
  return set.size(0) * reach;
}

}  // namespace loopcert
