// Gains for a plant that was identified. Their certificates hold for all gains at once, so designs
// may be compared by them.
#pragma once

#include <optional>
#include <string>

#include "certificate/identified_cost.hpp"

namespace loopcert {

// Certainty equivalence: LQR of the estimate. Throws InputError when no gain stabilizes it for
// ever.
Gains certainty_equivalence(const EstimatedLoop& loop);

// The guaranteed-cost recursion with the minimizing gain inside, at the tau of the smallest bound;
// nothing when no tau gives one.
std::optional<Gains> guaranteed_gains(const IdentifiedPlant& plant);

struct IdentifiedDesign {
  std::string design;  // identified | guaranteed
  IdentifiedBound bound;
};

// By method identified, guaranteed, or auto: identified, unless the certificate of guaranteed is
// smaller by a tenth or the only one; then guaranteed gains for the smallest part of the set whose
// certificate is within a tenth of the smallest. Throws InputError on another method, and NotProved
// when there is no bound.
IdentifiedDesign design_identified(const Problem& problem, const IdentifiedPlant& plant);

}  // namespace loopcert
