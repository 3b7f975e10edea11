// The optimal response for disturbances w_t = Phi_1 w_{t-1} + ... + Phi_p w_{t-p} + v_t with known
// Phi and white v: u_t = K_t x_t + N_t (w_{t-1}, ..., w_{t-p}) + k_t. Whatever the covariance of v
// is.
#pragma once

#include <vector>

#include "response/lqr.hpp"

namespace loopcert {

// Phi = [Phi_1 ... Phi_p], n_x x p n_x. first[t - 1]: w_t from (w_{t-1}, ..., w_0) for t below p;
// where it is missing, what was before the first disturbance counts as zero.
Response autoregressive_response(const System& system, const LqrGains& gains, const Matrix& Phi,
                                 const std::vector<Matrix>& first = {});

}  // namespace loopcert
