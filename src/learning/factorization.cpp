#include "factorization.hpp"

namespace loopcert {

CausalFactorization::CausalFactorization(const CausalPattern& pattern, Matrix R, Matrix L)
    : pattern_(pattern), R_(std::move(R)), L_(std::move(L)) {}

Matrix CausalFactorization::solve(const MatrixView& B) const {
  const Index first = pattern_.first_free_column();
  Matrix X = Matrix::Zero(B.rows(), B.cols());
  auto free = X.middleCols(first, L_.cols());
  free = B.middleCols(first, L_.cols());
  R_.triangularView<Eigen::Upper>().solveInPlace(free);
  L_.transpose().triangularView<Eigen::Upper>().solveInPlace<Eigen::OnTheRight>(free);
  project_causal(pattern_, X);
  L_.triangularView<Eigen::Lower>().solveInPlace<Eigen::OnTheRight>(free);
  R_.transpose().triangularView<Eigen::Lower>().solveInPlace(free);
  return X;
}

Matrix free_block(const CausalPattern& pattern, const MatrixView& Sigma) {
  const Index first = pattern.first_free_column();
  const Index size = pattern.end_free_column() - first;
  return Sigma.block(first, first, size, size);
}

}  // namespace loopcert
