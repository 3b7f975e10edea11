// What a controller does after the last step of its horizon.
#pragma once

#include <string>
#include <vector>

#include "loopcert/controller/controller.hpp"

namespace loopcert {

// refuse:  nothing: step T is an error.
// restart: the state at step T is a new x_0; what was before it is forgotten.
// hold:    the gains of the last step, on the last T states: u_t uses x_{t-T+1}, …, x_t as
//          u_{T-1} uses x_0, …, x_{T-1}.
enum class AfterHorizon { refuse, restart, hold };

const std::vector<std::string>& after_names();  // refuse, restart, hold

// Throws InputError on a word that is none of them.
AfterHorizon after_from_name(const std::string& name);

// The same controller over `steps` steps as one K and k: what it does when it is used in this way
// is linear again, so it is simulated and certified like any other. Fewer steps than the horizon
// cut it. Throws InputError when `steps` exceeds the horizon and `after` is refuse.
Controller extend_controller(const Controller& controller, Index steps, AfterHorizon after);

}  // namespace loopcert
