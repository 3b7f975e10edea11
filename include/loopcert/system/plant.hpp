// The plant x_{t+1} = A_t x_t + B_t u_t + d_t + w_t over t = 0 … T-1  (paper, eq:LTI_basic).
#pragma once

#include <vector>

#include "loopcert/core/types.hpp"
#include "loopcert/system/sizes.hpp"

namespace loopcert {

struct Plant {
  Index T = 0;
  std::vector<Matrix> A;  // one matrix (time-invariant) or T; each n_x x n_x
  std::vector<Matrix> B;  // one matrix or T; each n_x x n_u
  Matrix d;               // n_x x T known offsets, column t added at step t; empty means zero

  const Matrix& A_at(Index t) const { return A.size() == 1 ? A[0] : A[static_cast<size_t>(t)]; }
  const Matrix& B_at(Index t) const { return B.size() == 1 ? B[0] : B[static_cast<size_t>(t)]; }
  bool has_offset() const { return d.size() > 0 && !d.isZero(0.0); }
  Sizes sizes() const { return state_feedback(B.at(0).rows(), B.at(0).cols(), T); }

  // The offset as a disturbance trajectory (0, d_0, …, d_{T-1}); zero when there is none.
  Vector stacked_offset() const;
};

// Throws InputError naming the first wrong thing: sizes, counts of matrices, NaN or Inf, T < 1.
void check_plant(const Plant& plant);

}  // namespace loopcert
