// Which entries of Z are free: row block t (input u_t) may use the constant and column blocks 0 … t
// of what is seen (x_0, w_0, …, w_{t-1}). Free entries are the paper's alpha.
#pragma once

#include "loopcert/core/types.hpp"
#include "loopcert/system/sizes.hpp"

namespace loopcert {

struct CausalPattern {
  Sizes sizes;
  bool constant = false;  // column 0 of all d_z-sized matrices belongs to the constant 1
  bool affine = false;    // and its entries are free (needs `constant`)

  Index rows() const { return sizes.d_u(); }
  Index cols() const { return sizes.d_w() + (constant ? 1 : 0); }  // d_z

  // Free entries live in columns [first_free_column, end_free_column): the last block that is seen,
  // w_{T-1}, comes after the last input, and what is never seen after that.
  Index first_free_column() const { return constant && !affine ? 1 : 0; }
  Index end_free_column() const { return (constant ? 1 : 0) + sizes.T * sizes.n_y; }

  // First free row of a column; rows() when the column has none. Non-decreasing over free columns.
  Index first_row(Index column) const;
  // One past the last free column of a row.
  Index end_column(Index row) const;

  Index count() const;  // p = n_u n_y T(T+1)/2, plus d_u when affine
};

// Sets every entry outside the pattern to zero: [.]_causal.
void project_causal(const CausalPattern& pattern, Matrix& Z);

// alpha <-> Z, column by column. pack ignores what lies outside the pattern.
Vector pack(const CausalPattern& pattern, const MatrixView& Z);
Matrix unpack(const CausalPattern& pattern, const VectorView& alpha);

}  // namespace loopcert
