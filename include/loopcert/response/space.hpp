// The affine space of all achievable causal responses, with Z as its coordinates:
//   Phi_u = Phi_u0 + T_u Z,  Phi_x = F + S_x Phi_u,  M = M_0 + S Z,  S = [Qbar^1/2 S_x; Rbar^1/2]
//   T_u
// In the extended form (constant column) the first column of Phi_u, M, Z is the response to 1.
#pragma once

#include "loopcert/core/types.hpp"
#include "loopcert/response/options.hpp"
#include "loopcert/response/pattern.hpp"
#include "loopcert/system/cost.hpp"
#include "loopcert/system/stacked.hpp"

namespace loopcert {

struct ResponseSpace {
  CausalPattern pattern;
  ResponseOptions options;
  // d_u x d_u lower triangular: identity; or U^-T with I + S_x' S_x = U U', or with
  // S_x'Qbar S_x + Rbar = U U', for which P = I.
  Matrix T_u;
  Matrix Phi_u0;  // d_u x d_z: the start
  Matrix P;       // S'S, d_u x d_u, positive definite
  Matrix N_0;     // S'M_0, d_u x d_z
  Matrix K_0;     // M_0'M_0, d_z x d_z
  // How far rounding has moved T_u from orthonormal: what is computed in its coordinates has no
  // more digits than that. Unstable plants over long horizons, and inputs of very large effect,
  // lose all.
  double basis_error = 0;

  Index p() const { return pattern.count(); }
};

// A deterministic offset d, or an affine response, brings the constant column. When the response is
// not affine the offset column stays where the start puts it.
ResponseSpace make_response_space(const System& system, const ResponseOptions& options);

}  // namespace loopcert
