// What makes a Gaussian posterior's covariance other than diagonal: independent numbers xi_ij of
// variance V_ij become entries of Z - mean in a frame (docs/theory/posterior-families.md).
//
//   columns:  E = [F_1 xi_1, F_2 xi_2, ...] L      F_j acts on the free rows of column j, L mixes
//   columns full:     alpha = W xi                         any p x p matrix, for small p
//
// L is lower triangular: column j takes from columns l >= j, whose free rows are fewer, so E stays
// causal.
#pragma once

#include <memory>
#include <vector>

#include "loopcert/core/types.hpp"
#include "response/pattern.hpp"

namespace loopcert {

struct Frame {
  CausalPattern pattern;
  std::vector<Matrix>
      turns;  // d_u x d_u; of a column the trailing block from its first free row counts
  std::vector<Index> turn_of;  // d_z: which of them
  Matrix mix;                  // L, d_z x d_z lower triangular; empty: columns stay apart
  Matrix full;                 // W, p x p; then nothing else

  bool is_full() const { return full.size() > 0; }
  // One lower triangular matrix for all columns, whose trailing blocks it is: E = C xi L.
  bool is_kronecker() const;
  // Z' P Z keeps a diagonal mean: A_rho = Diag(a).
  bool columns_apart() const { return !is_full() && mix.size() == 0; }
};
using SharedFrame = std::shared_ptr<const Frame>;  // null: the identity

// The largest p for which p x p matrices are formed.
constexpr Index largest_full_p = 600;

// Throws InputError: sizes, NaN or Inf, a singular matrix, an entry where none may be.
void check_frame(const Frame& frame);

// F_j on the free rows of a column.
Matrix turn_of_column(const Frame& frame, Index column);

// xi (d_u x d_z, on the pattern) to E.
Matrix apply_frame(const Frame& frame, const Matrix& xi);

// log |det| of xi -> E on the free entries.
double log_determinant(const Frame& frame);

// The whole map as a p x p matrix, for references and small p.
Matrix frame_matrix(const Frame& frame);

}  // namespace loopcert
