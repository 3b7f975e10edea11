#include "core/eigenvalues.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>

namespace loopcert {
namespace {

// The size of row or column i without the diagonal, which no scaling changes.
double size_beside(const VectorView& line, Index i) { return line.lpNorm<1>() - std::abs(line(i)); }

}  // namespace

// Parlett and Reinsch: row i by 1/f and column i by f, f a power of two, until nothing gains 5 %.
Matrix balanced(const MatrixView& value) {
  constexpr int most_rounds = 200;  // units 1e-300 apart need no more
  Matrix F = value;
  bool changed = true;
  for (int round = 0; changed && round < most_rounds; ++round) {
    changed = false;
    for (Index i = 0; i < F.rows(); ++i) {
      const double column = size_beside(F.col(i), i);
      const double row = size_beside(F.row(i).transpose(), i);
      if (!(column > 0 && row > 0) || !std::isfinite(column + row)) continue;
      const double f = std::exp2(std::round(0.5 * std::log2(row / column)));
      if (f == 1 || !(column * f + row / f < 0.95 * (column + row))) continue;
      F.col(i) *= f;
      F.row(i) /= f;
      changed = true;
    }
  }
  return F;
}

Eigen::VectorXcd eigenvalues_of(const MatrixView& value) {
  if (value.rows() == 0) return {};
  return Eigen::EigenSolver<Matrix>(balanced(value), /*computeEigenvectors=*/false).eigenvalues();
}

double spectral_radius(const MatrixView& value) {
  return value.rows() == 0 ? 0.0 : eigenvalues_of(value).cwiseAbs().maxCoeff();
}

}  // namespace loopcert
