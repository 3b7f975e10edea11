// The quadratic cost sum_{t<T} (x_t - r_t)' Q_t (x_t - r_t) + u_t' R_t u_t + (x_T - r_T)' P (x_T -
// r_T).
#pragma once

#include <vector>

#include "loopcert/core/types.hpp"
#include "loopcert/system/plant.hpp"

namespace loopcert {

struct Cost {
  std::vector<Matrix> Q;  // one matrix or T; positive semidefinite, n_x x n_x
  std::vector<Matrix> R;  // one matrix or T; positive definite, n_u x n_u
  Matrix P;               // terminal weight; positive semidefinite, n_x x n_x
  Matrix reference = {};  // n_x x (T+1), column t is r_t; empty means zero

  // Q_t for t < T, and P for t = T: the diagonal blocks of Qbar.
  const Matrix& Q_at(Index t, Index T) const {
    return t == T ? P : (Q.size() == 1 ? Q[0] : Q[static_cast<size_t>(t)]);
  }
  bool has_reference() const { return reference.size() > 0 && !reference.isZero(0.0); }
  const Matrix& R_at(Index t) const { return R.size() == 1 ? R[0] : R[static_cast<size_t>(t)]; }
};

// Plant and cost together: everything the closed-loop cost of a controller depends on besides w.
struct System {
  Plant plant;
  Cost cost;

  Sizes sizes() const { return plant.sizes(); }
};

// Throws InputError: sizes, counts, NaN or Inf, Q or P not positive semidefinite, R not positive
// definite.
void check_cost(const Cost& cost, const Sizes& sizes);
void check_system(const System& system);

// Signals minus the reference: what Q weighs. One trajectory, or the constant part of a response.
Vector tracking_error(const Cost& cost, const VectorView& x);

// Qbar X and Rbar X by blocks (Qbar = blkdiag(Q_0, …, Q_{T-1}, P), Rbar = blkdiag(R_t)).
Matrix apply_Q(const Cost& cost, const Sizes& sizes, const MatrixView& X);
Matrix apply_R(const Cost& cost, const Sizes& sizes, const MatrixView& X);

// Qbar^1/2 X and Rbar^1/2 X with symmetric roots (paper, eq:weighted-response).
Matrix apply_sqrt_Q(const Cost& cost, const Sizes& sizes, const MatrixView& X);
Matrix apply_sqrt_R(const Cost& cost, const Sizes& sizes, const MatrixView& X);

}  // namespace loopcert
