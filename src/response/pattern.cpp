#include "response/pattern.hpp"

#include <algorithm>

#include "core/check.hpp"

namespace loopcert {

Index CausalPattern::first_row(Index column) const {
  if (constant && column == 0) return affine ? 0 : rows();
  const Index block = (column - (constant ? 1 : 0)) / sizes.n_y;
  return std::min(block, sizes.T) * sizes.n_u;  // from block T on: rows(), none is free
}

Index CausalPattern::end_column(Index row) const {
  return (constant ? 1 : 0) + (row / sizes.n_u + 1) * sizes.n_y;
}

Index CausalPattern::count() const {
  return sizes.n_u * sizes.n_y * sizes.T * (sizes.T + 1) / 2 + (affine ? rows() : 0);
}

void project_causal(const CausalPattern& pattern, Matrix& Z) {
  for (Index j = 0; j < pattern.cols(); ++j) Z.col(j).head(pattern.first_row(j)).setZero();
}

Vector pack(const CausalPattern& pattern, const MatrixView& Z) {
  check_size("Z", Z, pattern.rows(), pattern.cols());
  Vector alpha(pattern.count());
  Index k = 0;
  for (Index j = 0; j < pattern.cols(); ++j) {
    const Index free = pattern.rows() - pattern.first_row(j);
    alpha.segment(k, free) = Z.col(j).tail(free);
    k += free;
  }
  return alpha;
}

Matrix unpack(const CausalPattern& pattern, const VectorView& alpha) {
  check_size("alpha", alpha, pattern.count(), 1);
  Matrix Z = Matrix::Zero(pattern.rows(), pattern.cols());
  Index k = 0;
  for (Index j = 0; j < pattern.cols(); ++j) {
    const Index free = pattern.rows() - pattern.first_row(j);
    Z.col(j).tail(free) = alpha.segment(k, free);
    k += free;
  }
  return Z;
}

}  // namespace loopcert
