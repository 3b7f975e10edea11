#include "system/sound_cost.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "core/linalg.hpp"

namespace loopcert {
namespace {

// x'Wx <= x'(W + r D)x for D = diag(W). Rows of zeros have no eigenvalue that counts, and what has
// been raised once is not raised again.
Matrix sound_weight(const Matrix& weight) {
  Matrix W = 0.5 * weight + 0.5 * weight.transpose();
  Matrix unit = with_unit_diagonal(W);
  if (unit.isDiagonal(0.0)) return W;
  for (Index i = 0; i < W.rows(); ++i)
    if (W(i, i) == 0) unit(i, i) = 1;
  const double least =
      Eigen::SelfAdjointEigenSolver<Matrix>(unit, Eigen::EigenvaluesOnly).eigenvalues().minCoeff();
  const double margin = 1e-13 + 4e-15 * static_cast<double>(W.rows());
  if (least < margin / 2) W.diagonal() *= 1 + margin - std::min(least, 0.0);
  return W;
}

}  // namespace

Cost sound_cost(Cost cost) {
  for (Matrix& Q : cost.Q) Q = sound_weight(Q);
  for (Matrix& R : cost.R) R = sound_weight(R);
  cost.P = sound_weight(cost.P);
  return cost;
}

}  // namespace loopcert
