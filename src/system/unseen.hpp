// Outputs that are measured in tests alone: they are in the cost and in the logs, and no controller
// sees them. Of such a plant G has the outputs that are seen, G_x all of them, and C is empty; w
// has the purified outputs that are seen, all steps of them, and then the others.
#pragma once

#include <vector>

#include "loopcert/system/plant.hpp"

namespace loopcert {

// So many of each step, the last ones; zero where the controller sees what the cost weighs, or the
// cost weighs the states.
Index unseen_outputs(const Plant& plant);

// Where the entries of x_free are in w, of x = x_free + d + G_x u, or of y = eta + d + G u.
std::vector<Index> free_places(const Plant& plant);

}  // namespace loopcert
