// What logged episodes cost, by what was logged alone: no model takes part.
#pragma once

#include "loopcert/data/disturbances.hpp"
#include "loopcert/system/cost.hpp"

namespace loopcert {

// sum_{t<T} (x_t - r_t)'Q_t(x_t - r_t) + u_t'R_t u_t + (x_T - r_T)'P(x_T - r_T) of each episode; x
// are the signals in the cost.
Vector costs_of_paths(const System& system, const Rollouts& paths);

}  // namespace loopcert
