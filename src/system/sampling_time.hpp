// Plants of continuous time under inputs that are held between two samples: exact, with dead time
// of any length (docs/theory/output-feedback.md, section 2). The same bits in every build.
#pragma once

#include "loopcert/core/types.hpp"

namespace loopcert {

// exp(A): scaling and squaring of exp - 1, so that small eigenvalues keep their digits.
Matrix plain_exponential(const Matrix& A);

// x_{k+1} = A x_k + B_now u_{k-m} + B_before u_{k-m-1}, from x' = A_c x + B_c u(t - dead_time).
struct Sampled {
  Matrix A, B_now, B_before;
  Index m = 0;  // whole steps in the dead time
};

// Throws InputError when it overflows.
Sampled sample_held(const Matrix& A, const Matrix& B, double dt, double dead_time);

}  // namespace loopcert
