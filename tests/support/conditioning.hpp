// How far two right ways to solve A x = b may differ: tolerances that follow from the matrix.
#pragma once

#include <Eigen/Eigenvalues>
#include <limits>

#include "loopcert/core/types.hpp"

namespace loopcert::testing {

// Of a symmetric positive semidefinite matrix. Eigenvalues below `zero` times the largest count as
// 0.
struct Conditioning {
  double largest = 0;
  double smallest = 0;  // of those that are not 0
  Index size = 0;

  double number() const { return largest / smallest; }
  // A stable method solves (A + E) x = b with ||E|| <= c n eps ||A||: then x is off by
  // c n eps cond(A) ||x||. Rounding is no better behaved than that, so c = 100 for both ways.
  double relative_error() const {
    return 100 * static_cast<double>(size) * std::numeric_limits<double>::epsilon() * number();
  }
};

inline Conditioning conditioning(const Matrix& A, double zero = 0) {
  const Vector values =
      Eigen::SelfAdjointEigenSolver<Matrix>(A, Eigen::EigenvaluesOnly).eigenvalues();
  Conditioning c{values.maxCoeff(), values.maxCoeff(), A.rows()};
  for (const double value : values)
    if (value > zero * c.largest) c.smallest = std::min(c.smallest, value);
  return c;
}

}  // namespace loopcert::testing
