// From a response to the controller that realizes it, and back.
#pragma once

#include "loopcert/controller/controller.hpp"
#include "response/response.hpp"

namespace loopcert {

// K Phi_x = Phi_u by causal back-substitution (Phi_x is unit lower triangular), k = phi_u - K phi_x
// (paper, sec:mean-controller-equations). With sizes alone: what is measured is what the cost
// weighs.
Controller recover_controller(const Response& response, const Plant& plant);
Controller recover_controller(const Response& response, const Sizes& sizes);

// The response that a controller produces: the inverse of recover_controller.
Response closed_loop_response(const System& system, const Controller& controller);

// By how much of its size that differs from the response that the controller was recovered from.
double realization_error(const System& system, const Controller& controller,
                         const Response& response);

}  // namespace loopcert
