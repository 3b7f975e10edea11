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

class RobustRows {
 public:
  RobustRows() = default;
  // a: C x d_z in units of the columns, that is, times the size of the disturbance; columns that
  // have none (counts = 0, of all d_z) never move.
  RobustRows(const CausalPattern& pattern, const std::string& shape, const Vector& counts,
             const Matrix& p, const Matrix& a, const Vector& low, const Vector& high);

  Index count() const { return static_cast<Index>(rows_.size()); }
  const Vector& unit() const { return unit_; }        // C: sizes here are those of a over it
  bool free(Index c) const { return at(c).end > 0; }  // an input can change it

  // size_c - room_c for every row: positive where the limit is not kept.
  Vector overshoot(const Matrix& A) const;

  double least_slack() const {
    return least_;
  }  // some size_c is room_c and this, whatever inputs do

  // From each column, what its projection onto size_c <= room_c - margin takes away. price: the
  // derivative of half the squared distance by the room, negated.
  void remove(double margin, Matrix& A, Vector& price) const;
  // The same for size_c <= room_c + slack, with the slack, returned, that minimizes weight * slack
  // + half the squared distance.
  double remove_elastic(double weight, Matrix& A, Vector& price) const;

  // What S - projection of S changes by when S changes by D, a symmetric positive map: D becomes
  // it. S and price as remove() got and gave them; elastic: those of remove_elastic() above
  // least_slack().
  void residual_change(const Matrix& S, const Vector& price, bool elastic, Matrix& D) const;
  // The diagonal of that map, but for one direction of each row; 0 where the limit is kept.
  Matrix residual_diagonal(const Matrix& S, const Vector& price) const;

  // An upper bound on <y, A> for all A that keep the limits, the best for these prices; both are
  // moved to where there is one.
  double support(Matrix& y, Vector& price) const;

 private:
  struct Row {
    Index end = 0;      // entries [0, end) are free
    double room = 0;    // without what is fixed
    double rest = 0;    // of the group that `end` cuts
    int side = 0;       // the constant is free, with an upper (1), a lower (-1) or both limits (2)
    double middle = 0;  // of both
  };
  // What a projection depends on: norms of groups, largest first, and their sums.
  struct Lengths {
    std::vector<double> norms, sums;
    double cut = 0;     // norm of the group that has a rest
    double linear = 0;  // of the constant with one limit
  };
  static double cut(double length, double rest, double threshold);
  const Row& at(Index c) const { return rows_[static_cast<size_t>(c)]; }
  Lengths lengths(const Row& row, const double* a) const;
  double size(const Row& row, const Lengths& lengths, double threshold) const;
  double threshold(const Row& row, const Lengths& lengths, double room) const;
  void remove(const Row& row, double threshold, double* a) const;
  template <class Action>
  void for_groups(const Row& row, const Action& action) const;

  std::vector<Row> rows_;
  Vector unit_, counts_;  // counts_: of entries
  double least_ = -INFINITY;
  Index lead_ = 0;   // entries of the constant
  Index width_ = 1;  // of a group
};

}  // namespace loopcert
