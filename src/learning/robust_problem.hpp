// A robust problem in units in which P = I, disturbances have size one and limits are one:
//   min over causal Y of constant + <2 G + Y Sigma, Y>,  a_c' = a_c0' + p_c'Y, size_c(a_c) <=
//   room_c
// on the columns that inputs may use. Matrices of row entries are transposed, as in RobustRows.
#pragma once

#include "learning/robust_rows.hpp"

namespace loopcert {

struct RobustProblem {
  CausalPattern pattern;
  RobustRows rows;
  Matrix p;       // C x d_u
  Matrix a;       // free columns x C: a_0
  Matrix G;       // d_u x free columns, causal: N Sigma
  Matrix Sigma;   // free columns
  Matrix L;       // Sigma = L L'
  Vector counts;  // of columns: 0 where no limit sees them
  double constant = 0;
  Matrix R;      // P = R R', and Z = R^-T Y D^-1
  Vector sizes;  // D: of the free columns' disturbances

  void keep_causal(Matrix& Y) const;
  Matrix entries(const Matrix& Y) const;   // a_0 + Y'p'
  Matrix gradient(const Matrix& y) const;  // [p'y']_causal: d <y, entries> / dY
  double cost(const Matrix& Y) const;
  Matrix inverse(const Matrix& B) const;  // the Y with [Y Sigma]_causal = B
  // argmin of cost(Y) + <B, Y>
  Matrix least(const Matrix& B) const;
  // No Y that keeps the limits costs less, whatever y and prices are (which support() may move).
  double lower_bound(Matrix& y, Vector& price) const;
  Matrix coordinates(const Matrix& Y) const;  // Z
};

RobustProblem scaled_problem(const QuadraticForm& cost, const RowCoordinates& rows,
                             const Vector& low, const Vector& high, const BoundedSet& set,
                             const MatrixView& Sigma);

}  // namespace loopcert
