#include "core/linalg.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <limits>

#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

bool is_diagonal(const MatrixView& value) {
  for (Index j = 0; j < value.cols(); ++j)
    for (Index i = 0; i < value.rows(); ++i)
      if (i != j && value(i, j) != 0) return false;
  return true;
}

Vector units_of(const MatrixView& value) { return value.diagonal().cwiseAbs().cwiseSqrt(); }

}  // namespace

Matrix symmetric_sqrt(const MatrixView& value) {
  // The diagonal case is common and then exact.
  if (is_diagonal(value)) return value.diagonal().cwiseMax(0.0).cwiseSqrt().asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(value);
  const Vector root = eigen.eigenvalues().cwiseMax(0.0).cwiseSqrt();
  return eigen.eigenvectors() * root.asDiagonal() * eigen.eigenvectors().transpose();
}

Matrix with_unit_diagonal(const MatrixView& value) {
  const Vector inverse =
      units_of(value).unaryExpr([](double size) { return size > 0 ? 1 / size : 0.0; });
  return inverse.asDiagonal() * value * inverse.asDiagonal();
}

Matrix scaled_root(const MatrixView& value) {
  if (is_diagonal(value)) return symmetric_sqrt(value);
  return symmetric_sqrt(with_unit_diagonal(value)) * units_of(value).asDiagonal();
}

Matrix covariance_factor(const MatrixView& value) {
  if (!value.allFinite())
    throw NumericsError(
        "a covariance has an entry that is not finite: numbers too large for double precision, use "
        "other units");
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(with_unit_diagonal(value));
  const Vector& s = eigen.eigenvalues();  // increasing
  const double least = 1e-15 * s.maxCoeff();
  return units_of(value).asDiagonal() *
         (eigen.eigenvectors() * s.cwiseMax(least).cwiseSqrt().asDiagonal());
}

Matrix psd_factor(const MatrixView& value, double tolerance) {
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(value);
  const Vector& s = eigen.eigenvalues();  // increasing
  Index first = 0;
  while (first < s.size() && !(s(first) > tolerance * s(s.size() - 1))) ++first;
  const Index rank = s.size() - first;
  return eigen.eigenvectors().rightCols(rank) * s.tail(rank).cwiseSqrt().asDiagonal();
}

Matrix upper_cholesky(const MatrixView& value) {
  // With J the reversal, J value J = L L' gives value = (J L J)(J L J)', and J L J is upper.
  const Matrix reversed = value.reverse();
  const Eigen::LLT<Matrix> llt(reversed);
  if (llt.info() != Eigen::Success)
    throw NumericsError(
        "the numbers of this problem lie too far apart for double precision: other units of states "
        "and inputs, a shorter horizon or another response.start may help");
  const Matrix L = llt.matrixL();
  return L.reverse();
}

Matrix lower_cholesky_or_empty(const MatrixView& value, double tolerance) {
  const Eigen::LLT<Matrix> llt(value);
  if (llt.info() != Eigen::Success) return {};
  const Matrix L = llt.matrixL();
  // A pivot is a difference: rounding leaves n eps of its diagonal entry, times as much as the
  // pivots before it were small.
  const double rounding =
      static_cast<double>(value.rows()) * std::numeric_limits<double>::epsilon();
  double least = 1;
  for (Index i = 0; i < value.rows(); ++i) {
    const double pivot = L(i, i) * L(i, i) / value(i, i);
    if (!(pivot > tolerance) || (tolerance > 0 && !(pivot > 10 * rounding / least))) return {};
    least = std::min(least, pivot);
  }
  return L;
}

double largest_eigenvalue(const MatrixView& value) {
  if (value.rows() == 0) return 0;
  return Eigen::SelfAdjointEigenSolver<Matrix>(value, Eigen::EigenvaluesOnly)
      .eigenvalues()(value.rows() - 1);
}

}  // namespace loopcert
