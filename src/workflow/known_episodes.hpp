// Disturbances from logged episodes that may have offsets of their own.
#pragma once

#include "data/offsets.hpp"
#include "workflow/reconstruction.hpp"

namespace loopcert {

// Of episodes with offsets of their own the disturbances alone: what was logged was moved by
// offsets that this problem does not have, and neither its cost nor the model is seen in it.
Reconstruction reconstruct(const Problem& problem, const KnownEpisodes& known);

}  // namespace loopcert
