#include "system/riccati.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/QR>
#include <cmath>

#include "core/linalg.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

struct Terms {
  Matrix A, B, Q, R;
};

// One step of the recursion in square-root form: with S = F'F,
//   [ R^1/2   0     ]       [ G^1/2  G^1/2 (-K) ]
//   [ F B     F A   ]  = Q  [ 0      F_next     ]
//   [ 0       Q^1/2 ]
// Columns may have units of their own: a QR step does not see them.
struct RootStep {
  Matrix F, K;
};
RootStep root_step(const Terms& t, const Matrix& F) {
  const Index n_x = t.A.rows(), n_u = t.B.cols();
  Matrix stack = Matrix::Zero(n_u + 2 * n_x, n_u + n_x);
  stack.topLeftCorner(n_u, n_u) = scaled_root(t.R);
  stack.block(n_u, 0, n_x, n_u) = F * t.B;
  stack.block(n_u, n_u, n_x, n_x) = F * t.A;
  stack.bottomRightCorner(n_x, n_x) = scaled_root(t.Q);
  const Eigen::HouseholderQR<Eigen::Ref<Matrix>> qr(stack);  // in place: R in the upper triangle
  return {stack.block(n_u, n_u, n_x, n_x).triangularView<Eigen::Upper>(),
          -stack.topLeftCorner(n_u, n_u).triangularView<Eigen::Upper>().solve(
              Matrix(stack.topRightCorner(n_u, n_x)))};
}

// The largest |X_ij - Y_ij| / sqrt(Y_ii Y_jj): a change that no units change. Rows of Y whose
// diagonal is zero are zero.
double relative_change(const Matrix& X, const Matrix& Y) {
  const Vector size = Y.diagonal().cwiseMax(0.0).cwiseSqrt();
  double largest = 0;
  for (Index j = 0; j < Y.cols(); ++j)
    for (Index i = 0; i < Y.rows(); ++i) {
      const double scale = size(i) * size(j);
      const double change = std::abs(X(i, j) - Y(i, j));
      if (scale > 0) largest = std::max(largest, change / scale);
      if (!std::isfinite(change)) return change;
    }
  return largest;
}

[[noreturn]] void throw_none() {
  throw InputError(
      "no stationary terminal weight exists: a state in the cost does not decay and no input "
      "controls it");
}

// Doubling: H is the cost-to-go of 2^k steps from weight zero. What has not settled after 2^40 of
// them grows; more rounds would hide that behind rounding errors. G = B R^-1 B', W = I + G H:
//   A <- A W^-1 A,  G <- G + A W^-1 G A',  H <- H + A'H W^-1 A
Matrix doubled(Matrix A, Matrix G, Matrix H) {
  constexpr int rounds = 40;
  const Matrix I = Matrix::Identity(A.rows(), A.rows());
  for (int k = 0; k < rounds; ++k) {
    const Eigen::PartialPivLU<Matrix> W(I + G * H);
    const Matrix WA = W.solve(A), WG = W.solve(G);
    Matrix next = H + A.transpose() * H * WA;
    next = 0.5 * (next + next.transpose()).eval();
    if (!next.allFinite()) throw_none();
    const double change = relative_change(H, next);
    H = next;
    if (change <= 1e-15) return H;
    G += A * WG * A.transpose();
    G = 0.5 * (G + G.transpose()).eval();
    A = A * WA;
  }
  throw_none();
}

}  // namespace

bool is_time_invariant(const System& system) {
  const Plant& plant = system.plant;
  const Matrix& r = system.cost.reference;
  return plant.has_state() && plant.A.size() == 1 && plant.B.size() == 1 &&
         system.cost.Q.size() == 1 && system.cost.R.size() == 1 &&
         (plant.d.size() == 0 || (plant.d.colwise() - plant.d.col(0)).isZero(0.0)) &&
         (r.size() == 0 || (r.colwise() - r.col(0)).isZero(0.0));
}

StationaryLqr stationary_lqr(const System& system) {
  const Terms t{system.plant.A[0], system.plant.B[0], system.cost.Q[0], system.cost.R[0]};
  const Index n_x = t.A.rows();
  // Coordinates in which every state that matters costs about one: those of a short horizon.
  Matrix F = scaled_root(t.Q);
  for (Index step = 0; step < n_x; ++step) F = root_step(t, F).F;
  const Vector size = F.colwise().norm().unaryExpr([](double s) { return s > 0 ? s : 1.0; });
  if (!size.allFinite()) throw_none();
  const Matrix A = size.asDiagonal() * t.A * size.cwiseInverse().asDiagonal();
  const Matrix B = size.asDiagonal() * t.B;
  const Matrix Q = size.cwiseInverse().asDiagonal() * t.Q * size.cwiseInverse().asDiagonal();
  const Matrix RB = t.R.llt().matrixL().solve(B.transpose());
  const Matrix H = doubled(A, RB.transpose() * RB, Q);
  // A last step of the recursion makes S positive semidefinite and tells how stationary it is.
  const Matrix S = size.asDiagonal() * H * size.asDiagonal();
  const RootStep last = root_step(t, scaled_root(S));
  StationaryLqr result{last.F.transpose() * last.F, last.K};
  result.S = 0.5 * (result.S + result.S.transpose()).eval();
  if (!(relative_change(S, result.S) <= 1e-8) || !result.K.allFinite()) throw_none();
  return result;
}

}  // namespace loopcert
