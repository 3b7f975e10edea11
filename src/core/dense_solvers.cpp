#include "core/dense_solvers.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/SVD>
#include <unsupported/Eigen/MatrixFunctions>

namespace loopcert {

Vector singular_values(const Matrix& value) {
  return Eigen::BDCSVD<Matrix>(value).singularValues();
}

EigenSystem eigen_system(const Matrix& value) {
  const Eigen::EigenSolver<Matrix> solver(value);
  EigenSystem system{solver.eigenvalues(), solver.eigenvectors(), {}};
  system.left = system.right.inverse();
  return system;
}

std::optional<Matrix> solution(const Matrix& A, const Matrix& B) {
  const Eigen::FullPivLU<Matrix> lu(A);
  if (!lu.isInvertible()) return std::nullopt;
  return lu.solve(B);
}

bool is_invertible(const Matrix& A) { return Eigen::FullPivLU<Matrix>(A).isInvertible(); }

Matrix logarithm(const Matrix& value) { return value.log(); }

Matrix exponential(const Matrix& value) { return value.exp(); }

}  // namespace loopcert
