// A matrix product whose bits are the same in every build: for files that are compiled without
// contraction (CMakeLists.txt).
#pragma once

#include "loopcert/core/types.hpp"

namespace loopcert {

// A B, each sum from the left.
inline Matrix plain_times(const Matrix& A, const Matrix& B) {
  Matrix C(A.rows(), B.cols());
  for (Index j = 0; j < B.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i) {
      double sum = 0;
      for (Index k = 0; k < A.cols(); ++k) sum += A(i, k) * B(k, j);
      C(i, j) = sum;
    }
  return C;
}

}  // namespace loopcert
