// What single precision changes in a closed loop, measured on trajectories.
#pragma once

#include "loopcert/controller/controller.hpp"
#include "loopcert/data/disturbances.hpp"
#include "loopcert/system/cost.hpp"

namespace loopcert {

struct SingleRounding {
  Index n = 0;             // trajectories
  Vector inputs;           // n_u: by how much an input differs at most
  double cost = 0;         // mean, in double precision
  double cost_change = 0;  // of that mean, in single precision
};

// The same plant and the same disturbances, with the controller in double and in float. Throws
// InputError when sizes do not fit.
SingleRounding measure_single(const System& system, const Controller& controller,
                              const Disturbances& data);

}  // namespace loopcert
