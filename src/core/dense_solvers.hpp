// Solvers of Eigen that take seconds to compile, each behind a call: compiled once, here.
#pragma once

#include <Eigen/Core>
#include <optional>

#include "loopcert/core/types.hpp"

namespace loopcert {

// Descending.
Vector singular_values(const Matrix& value);

struct EigenSystem {
  Eigen::VectorXcd values;
  Eigen::MatrixXcd right;  // columns
  Eigen::MatrixXcd left;   // rows, inverse of right
};
EigenSystem eigen_system(const Matrix& value);

// X with A X = B; none if A is singular up to rounding.
std::optional<Matrix> solution(const Matrix& A, const Matrix& B);
bool is_invertible(const Matrix& A);

// The real part of the principal logarithm: where that is not real, its exponential is another
// matrix.
Matrix logarithm(const Matrix& value);
Matrix exponential(const Matrix& value);

}  // namespace loopcert
