#include "core/factors.hpp"

#include <Eigen/Core>

namespace loopcert {
namespace {

using Columns = Eigen::Map<const Matrix, 0, Eigen::OuterStride<>>;

Columns columns(const DenseFactor& A) {
  return {A.data, A.rows, A.cols, Eigen::OuterStride<>(A.stride)};
}

}  // namespace

void multiply(const DenseFactor& A, const DenseFactor& B, double* C) {
  Eigen::Map<Matrix> out(C, A.transposed ? A.cols : A.rows, B.transposed ? B.rows : B.cols);
  if (A.transposed && B.transposed)
    out.noalias() = columns(A).transpose() * columns(B).transpose();
  else if (A.transposed)
    out.noalias() = columns(A).transpose() * columns(B);
  else if (B.transposed)
    out.noalias() = columns(A) * columns(B).transpose();
  else
    out.noalias() = columns(A) * columns(B);
}

}  // namespace loopcert
