// Matrix products over several threads. The result is cut into column panels whose widths depend on
// the sizes alone, so the bits are the same for any number of threads.
#pragma once

#include "loopcert/core/types.hpp"

namespace loopcert {

// C = A B
void multiply(const Matrix& A, const Matrix& B, Matrix& C, int threads);

// C = A' B
void multiply_transposed(const Matrix& A, const Matrix& B, Matrix& C, int threads);

}  // namespace loopcert
