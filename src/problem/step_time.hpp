// How long a step lasts: of a plant in continuous time, of the rows of a log, of the controller
// that runs today.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "loopcert/problem/problem.hpp"

namespace loopcert {

// From a problem file that was read without a fault, and what it says otherwise.
std::optional<StepTime> decode_step_time(const nlohmann::json& tree, const Problem& problem);

}  // namespace loopcert
