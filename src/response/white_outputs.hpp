// What LQR is where the state is measured, for a plant that is seen through outputs: the best
// response to purified outputs that are white, or have a colour, eta_t = a eta_{t-1} + white. As
// with LQR it does not matter what the covariance of the white part is
// (docs/theory/output-feedback.md, section 5). White purified outputs say nothing about those that
// follow: the best response then is no feedback. The feedforward is the best one for the known
// offset and the reference, whatever a is.
#pragma once

#include "loopcert/system/cost.hpp"
#include "response/response.hpp"

namespace loopcert {

Response white_outputs_response(const System& system, double a);

}  // namespace loopcert
