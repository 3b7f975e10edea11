#include "loopcert/system/stacked.hpp"

namespace loopcert {

// The recursions skip what is structurally zero: block column b of F starts at block row b.
StackedOperators stacked_operators(const Plant& plant) {
  const auto [n_x, n_u, T] = plant.sizes();
  StackedOperators op;
  op.F = Matrix::Zero((T + 1) * n_x, (T + 1) * n_x);
  op.S_x = Matrix::Zero((T + 1) * n_x, T * n_u);
  op.F.topLeftCorner(n_x, n_x).setIdentity();
  for (Index t = 0; t < T; ++t) {
    const Index now = t * n_x, next = (t + 1) * n_x;
    // F_{t+1,b} = A_t F_{t,b} for b <= t, and I at b = t + 1.
    op.F.block(next, 0, n_x, next).noalias() = plant.A_at(t) * op.F.block(now, 0, n_x, next);
    op.F.block(next, next, n_x, n_x).setIdentity();
    // S_{t+1,b} = A_t S_{t,b} for b < t, and B_t at b = t.
    op.S_x.block(next, 0, n_x, t * n_u).noalias() =
        plant.A_at(t) * op.S_x.block(now, 0, n_x, t * n_u);
    op.S_x.block(next, t * n_u, n_x, n_u) = plant.B_at(t);
  }
  return op;
}

Matrix apply_F(const Plant& plant, const MatrixView& X) {
  const auto [n_x, n_u, T] = plant.sizes();
  Matrix Y = X;
  for (Index t = 0; t < T; ++t)
    Y.middleRows((t + 1) * n_x, n_x).noalias() += plant.A_at(t) * Y.middleRows(t * n_x, n_x);
  return Y;
}

Matrix apply_S_x(const Plant& plant, const MatrixView& U) {
  return apply_F(plant, apply_Z_B(plant, U));
}

Matrix apply_Z_A(const Plant& plant, const MatrixView& X) {
  const auto [n_x, n_u, T] = plant.sizes();
  Matrix Y = Matrix::Zero(X.rows(), X.cols());
  for (Index t = 0; t < T; ++t)
    Y.middleRows((t + 1) * n_x, n_x).noalias() = plant.A_at(t) * X.middleRows(t * n_x, n_x);
  return Y;
}

Matrix apply_Z_B(const Plant& plant, const MatrixView& U) {
  const auto [n_x, n_u, T] = plant.sizes();
  Matrix Y = Matrix::Zero((T + 1) * n_x, U.cols());
  for (Index t = 0; t < T; ++t)
    Y.middleRows((t + 1) * n_x, n_x).noalias() = plant.B_at(t) * U.middleRows(t * n_u, n_u);
  return Y;
}

}  // namespace loopcert
