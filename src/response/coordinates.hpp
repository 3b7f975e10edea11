// The affine space of all achievable causal responses, with Z as its coordinates, and nothing about
// cost:
//   Phi_u = Phi_u0 + T_u Z,  Phi_x = Phi_x0 + G T_u Z
// In the extended form (constant column) the first column of Phi_x, Phi_u and Z is the response to
// the constant 1.
#pragma once

#include "loopcert/core/types.hpp"
#include "loopcert/response/options.hpp"
#include "response/pattern.hpp"

namespace loopcert {

struct Coordinates {
  CausalPattern pattern;
  ResponseOptions options;
  // d_u x d_u lower triangular: identity; or U^-T with I + G'G = U U', or with
  // G'Qbar G + Rbar = U U', for which the cost has P = I.
  Matrix T_u;
  Matrix G_T;     // G T_u, d_x x d_u
  Matrix Phi_u0;  // d_u x d_z: the start
  Matrix Phi_x0;  // d_x x d_z: its signals
  // How far rounding has moved T_u from orthonormal: what is computed in its coordinates has no
  // more digits than that. Unstable plants over long horizons, and inputs of very large effect,
  // lose all.
  double basis_error = 0;

  Index p() const { return pattern.count(); }
};

}  // namespace loopcert
