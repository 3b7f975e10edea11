// Rows of the limits at their steps, and how often they are violated at most.
#include <cmath>

#include "kinds/limits.hpp"

namespace verify {
namespace {

// look(c, row, t) for every row at each of its steps, in the order of the records.
template <class Look>
void for_rows_at_steps(const Limits& limits, const Look& look) {
  long c = 0;
  for (const LimitRow& row : limits.rows)
    for (long t = row.first; t <= row.last; ++t) look(c++, row, t);
}

// A(c) += sum_i weights_i B(first + i)
void add_rows(Mat& A, long c, const std::vector<double>& weights, const Mat& B, long first) {
  for (size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] == 0) continue;
    const Ball weight(weights[i]);
    for (long j = 0; j < A.cols(); ++j)
      arb_addmul(A.at(c, j), weight.x, arb_mat_entry(B.m, first + static_cast<long>(i), j), bits);
  }
}

}  // namespace

Rows rows_at_steps(const Problem& p, const Response& r) {
  Rows rows{Mat(p.limits->count(), 1 + p.d_w())};
  for_rows_at_steps(*p.limits, [&](long c, const LimitRow& row, long t) {
    add_rows(rows.all, c, row.x, r.X, t * p.n_x);
    if (t < p.T) add_rows(rows.all, c, row.u, r.U, t * p.n_u);
    rows.within.push_back({row.low, row.high});
  });
  return rows;
}

Mat rows_of_inputs(const Problem& p) {
  const Mat S = Space(p).S_x, I = identity(p.d_u());
  Mat rows(p.limits->count(), p.d_u());
  for_rows_at_steps(*p.limits, [&](long c, const LimitRow& row, long t) {
    add_rows(rows, c, row.x, S, t * p.n_x);
    if (t < p.T) add_rows(rows, c, row.u, I, t * p.n_u);
  });
  return rows;
}

Mat row_deviations(const RowLaw& law, const Rows& rows) {
  const long d = rows.all.cols() - 1;
  const Mat A = block(rows.all, 0, 1, rows.count(), d);
  Mat deviations(rows.count(), 1);
  const Mat above = law.model ? Mat(0, 0) : A * law.above;
  for (long c = 0; c < rows.count(); ++c) {
    const Mat a = block(A, c, 0, 1, d);
    const Ball variance =
        law.model ? largest_variance(*law.model, a) : dot(block(above, c, 0, 1, d), a);
    deviations.set(c, 0, ball(arb_sqrtpos, variance.x));
  }
  return deviations;
}

std::optional<Nearby> outside_of(const RowLaw& law, const Rows& rows) {
  if (!law.model || law.model->outside.rows() == 0) return std::nullopt;
  Nearby near{rows, Mat(rows.count(), 1)};
  for (long c = 0; c < rows.count(); ++c) {
    Ball sum;
    for (long j = 0; j < rows.all.cols(); ++j) {
      const Ball square = rows.all(c, j) * rows.all(c, j) * law.model->outside(j, 0);
      sum = sum + ball(arb_sqrtpos, square.x);
    }
    near.room.set(c, 0, sum);
  }
  return near;
}

Ball together(const Limits& limits, const std::vector<Ball>& each) {
  Ball value;
  for (const Ball& one : each) value = limits.each ? ball(arb_max, value.x, one.x) : value + one;
  return ball(arb_min, value.x, Ball(1).x);
}

Ball violation_of(const Limits& limits, const Rows& rows, const Mat& deviations,
                  const Nearby* near) {
  std::vector<Ball> each;
  for (long c = 0; c < rows.count(); ++c) {
    const Ball room = near ? near->room(c, 0) : Ball(0);
    each.push_back(violation(rows.within[static_cast<size_t>(c)],
                             (near ? near->rows : rows).all(c, 0), deviations(c, 0) + room));
  }
  return together(limits, each);
}

}  // namespace verify
