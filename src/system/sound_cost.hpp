// Weights that are what a proof needs them to be, and not up to a tolerance.
#pragma once

#include "loopcert/system/cost.hpp"

namespace loopcert {

// The cost with weights that are exactly symmetric and, in spite of rounding, without a negative
// eigenvalue: where one with a unit diagonal has some below 1e-13 or so, its diagonal is raised by
// up to 1e-12 of it. No cost is smaller with it. Problem files and Python come through here.
Cost sound_cost(Cost cost);

}  // namespace loopcert
