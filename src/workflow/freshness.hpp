// Data that certify a controller must not be its training data.
#pragma once

#include <string>

#include "data/recording.hpp"
#include "loopcert/controller/controller.hpp"
#include "loopcert/data/disturbances.hpp"

namespace loopcert {

// Writes into the controller what it was learned from, so that it can be known again: exactly
// (learned_from), and up to rounding and cutting (recordings). No trajectories leave no trace.
void remember(Controller& controller, const Recording& seen);

// How many of the trajectories the controller was learned from, as far as its file says.
Index trajectories_seen(const Controller& controller, const Disturbances& data);

// Throws InputError when there is one. `name`: the controller, as messages call it.
void check_fresh(const Controller& controller, const Disturbances& data, const std::string& name);

}  // namespace loopcert
