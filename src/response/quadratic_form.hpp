// A functional in the coordinates of a response: W^1/2 (x, u) = (M_0 + S Z) z for z = (1, w), so
//   E ||(M_0 + S Z) z||^2 = <K_0, Sigma> + <2 N_0 + P Z, Z Sigma>,  Sigma = E zz'.
// Bounds and learning know a functional by these three matrices; no p x p matrix exists.
#pragma once

#include "loopcert/core/types.hpp"
#include "response/coordinates.hpp"
#include "response/functional.hpp"
#include "response/pattern.hpp"

namespace loopcert {

struct QuadraticForm {
  CausalPattern pattern;
  Matrix P;          // S'S, d_u x d_u, positive semidefinite; of a cost definite
  Matrix N_0;        // S'M_0, d_u x d_z
  Matrix K_0;        // M_0'M_0, d_z x d_z
  double error = 0;  // of the basis that the coordinates use: the form has no more digits

  Index p() const { return pattern.count(); }
};

// P alone, for which no start is needed.
Matrix curvature(const Coordinates& coordinates, const Functional& functional);

QuadraticForm quadratic_form(const Coordinates& coordinates, const Functional& functional);

// K(Z) = M'M = K_0 + N_0'Z + Z'N_0 + Z'P Z, d_z x d_z.
Matrix gram(const QuadraticForm& form, const MatrixView& Z);

// The functional minus its value at the coordinates `baseline`: the same P and N_0, and a K_0 that
// may have any sign.
QuadraticForm difference_form(QuadraticForm form, const MatrixView& baseline);

}  // namespace loopcert
