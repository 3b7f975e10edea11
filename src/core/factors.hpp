// The product of two matrices that are described, not typed: one function for all pairs of factors.
#pragma once

#include "loopcert/core/types.hpp"

namespace loopcert {

// Columns of `rows` numbers, `stride` apart; or the transpose of such a matrix.
struct DenseFactor {
  const double* data;
  Index rows, cols, stride;
  bool transposed;
};

// C = A B, into columns without gaps.
void multiply(const DenseFactor& A, const DenseFactor& B, double* C);

}  // namespace loopcert
