// The law of purified outputs from that of the noise: eta = C F (x_0, w) + v.
#pragma once

#include "loopcert/data/assumptions.hpp"
#include "loopcert/system/plant.hpp"

namespace loopcert {

// The law of w of a plant that was given by A, B and C: of eta, or, where states are in the cost,
// of (eta, x_free). Gaussian.
Law law_of_outputs(const Plant& plant, const StatedNoise& noise);

}  // namespace loopcert
