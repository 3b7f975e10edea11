// Finite-horizon LQR by the Riccati recursion: the optimal controller when disturbances are white
// with zero mean, and a reference for everybody else.
//
// Outputs have no gains. What LQR is to a state, the best response to white disturbances of any
// covariance, is to them no feedback (response/white_outputs.hpp); lqr_response() gives that.
#pragma once

#include <vector>

#include "loopcert/core/types.hpp"
#include "loopcert/system/cost.hpp"
#include "response/response.hpp"

namespace loopcert {

struct LqrGains {
  std::vector<Matrix> K;  // T gains, n_u x n_x: u_t = K_t x_t + k_t
  std::vector<Vector> k;  // T feedforwards for offset d and reference r (zero without either)
  std::vector<Matrix> V;  // T+1 cost-to-go matrices, V_T = P
  std::vector<Matrix> G;  // T matrices R_t + B_t'V_{t+1} B_t
};

LqrGains lqr_gains(const System& system);

// The closed loop of those gains as a response, O(T^2) block products. Of outputs: no feedback, and
// the best feedforward for a known offset.
Response lqr_response(const System& system, const LqrGains& gains);
Response lqr_response(const System& system);

// The same loop with u_t = K_t x_t + L_t v_t, L_t L_t' = (R_t + B_t'V_{t+1} B_t)^-1, and nothing
// but v: completing squares, the cost of v alone is |v|^2.
struct LqrInputs {
  Matrix to_u;  // d_u x d_u, lower triangular
  Matrix to_x;  // d_w x d_u
};
LqrInputs lqr_inputs(const System& system, const LqrGains& gains);

}  // namespace loopcert
