// Rows of robust limits in units of their own. Of the row's entries a (on the columns that inputs
// may use) only the size counts:
//   size_c(a) = sum over groups of sqrt(||a_g||^2 + rest_g^2), plus what the constant adds,
// to be at most room_c. A group is an entry (box), a step (steps) or all (radius); rest is what no
// input can change. Matrices of entries are transposed: one column per row.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "learning/limited.hpp"
#include "response/limit_rows.hpp"
#include "response/quadratic_form.hpp"

namespace loopcert {

// sqrt(||a_g - middle||^2 + rest^2) for entries [begin, begin + width) of a row.
struct RobustGroup {
  Index begin = 0, width = 1;
  double rest = 0;
  double middle = 0;  // of the constant with two limits, which is a group of its own
};

struct RobustRow {
  Index end = 0;    // entries [0, end) are free; 0: no input can change the row
  double room = 0;  // without what is fixed
  int side = 0;  // the constant is free, with an upper (1) or a lower limit (-1): it adds side a_0
  std::vector<RobustGroup> groups;

  double size(const double* a) const;
};

class RobustRows {
 public:
  RobustRows() = default;
  // a: C x d_z in units of the columns, that is, times the size of the disturbance; columns that
  // have none (counts = 0, of all d_z) never move.
  RobustRows(const CausalPattern& pattern, const std::string& shape, const Vector& counts,
             const Matrix& p, const Matrix& a, const Vector& low, const Vector& high);

  Index count() const { return static_cast<Index>(rows_.size()); }
  const RobustRow& at(Index c) const { return rows_[static_cast<size_t>(c)]; }
  const Vector& unit() const { return unit_; }  // C: sizes here are those of a over it

  // size_c - room_c for every row: positive where the limit is not kept.
  Vector overshoot(const Matrix& A) const;

  // Some size_c is room_c and this, whatever inputs do.
  double least_slack() const { return least_; }

  // An upper bound on <y, A> for all A that keep the limits, the best for these prices; both are
  // moved to where there is one.
  double support(Matrix& y, Vector& price) const;

 private:
  std::vector<RobustRow> rows_;
  Vector unit_;
  double least_ = -INFINITY;
};

}  // namespace loopcert
