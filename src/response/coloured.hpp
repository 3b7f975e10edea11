// LQR for disturbances with a colour in time: w_t = a w_{t-1} + white, the same a for every entry.
// What it does with w_{t-1}, which it has seen, depends on a alone and not on the covariance of the
// white part: controllers that are fixed before any data, and that no unit enters.
#pragma once

#include <vector>

#include "response/lqr.hpp"

namespace loopcert {

// The colours that method auto chooses among: 0 is LQR, 1 a random walk.
const std::vector<double>& lqr_colours();

// u_t = K_t x_t + N_t w_{t-1} + k_t, optimal for that a.
Response coloured_response(const System& system, const LqrGains& gains, double a);

// A covariance of (x_0, w_0, ..., w_{T-1}) with this colour, its entries in units of what they cost
// LQR; of purified outputs, which are one chain, in units of what they cost without inputs. It
// looks at no data; any scale of it will do.
Matrix coloured_covariance(const System& system, const LqrGains& gains, double a);

}  // namespace loopcert
