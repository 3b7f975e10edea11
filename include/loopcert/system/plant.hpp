// The plant over t = 0 … T-1, in one of two forms. With the state measured it is
// x_{t+1} = A_t x_t + B_t u_t + d_t + w_t  (paper, eq:LTI_basic). Seen through outputs alone it is
// y = eta + d + G u, where eta is what the outputs would have been without inputs
// (docs/theory/output-feedback.md); eta takes the place of w.
#pragma once

#include <string>
#include <vector>

#include "loopcert/core/types.hpp"
#include "loopcert/system/sizes.hpp"

namespace loopcert {

struct Plant {
  Index T = 0;
  std::vector<Matrix> A;  // one matrix (time-invariant) or T; each n_x x n_x
  std::vector<Matrix> B;  // one matrix or T; each n_x x n_u
  Matrix d;               // n_x x T known offsets, column t added at step t; empty means zero

  // Of outputs: (T+1) n_y x T n_u, block (t, s) the effect of u_s on y_t, zero unless s < t. Empty:
  // the state is measured, and the plant is A and B. Otherwise d is n_y x T, and A and B are there
  // only where G was made from them: y_t = C_t x_t, with u_{t-delay} in place of u_t.
  Matrix G = {};
  std::vector<Matrix> C = {};  // one matrix or T+1
  Index delay = 0;
  // Signals in the cost that are not the outputs: x = x_free + d + G_x u, and w = (eta, x_free).
  // (T+1) n_x x T n_u; empty: the outputs are in the cost.
  Matrix G_x = {};
  std::string form = {};  // [system] of its file as JSON; empty: whatever A, B or G say

  bool has_state() const { return G.size() == 0; }
  const Matrix& A_at(Index t) const { return A.size() == 1 ? A[0] : A[static_cast<size_t>(t)]; }
  const Matrix& B_at(Index t) const { return B.size() == 1 ? B[0] : B[static_cast<size_t>(t)]; }
  bool has_offset() const { return d.size() > 0 && !d.isZero(0.0); }
  Sizes sizes() const;

  // The offset as a disturbance trajectory (0, d_0, …, d_{T-1}); zero when there is none.
  Vector stacked_offset() const;
};

// Throws InputError naming the first wrong thing: sizes, counts of matrices, NaN or Inf, T < 1.
void check_plant(const Plant& plant);

}  // namespace loopcert
