// Gains of an identified plant that keep limits, and surely: the events hold for all gains at once,
// so the design may be tightened until its certificate passes, at no price in delta.
#pragma once

#include "certificate/identified_limits.hpp"
#include "learning/identified_design.hpp"

namespace loopcert {

// The row at a step that is furthest from what it must keep.
struct UnmetRow {
  LimitAt at;
  double violation = 1;  // certified, of this row alone
};

struct LimitedIdentified {
  IdentifiedDesign design;
  LimitBounds limits;
  std::vector<double> prices;     // of rows at steps: what the cost falls by as a limit widens,
                                  // relative to it
  double back_off = 1;            // deviations of the estimate were kept so much smaller than the
                                  // limits ask for, besides the error of each; 1: not at all
  bool met = false;               // limits.value <= limits.probability
  bool feasible = true;           // the estimate can meet them without room for its error
  std::optional<UnmetRow> unmet;  // of limits that are not met
};

// By method identified, guaranteed or auto, as design_identified. Limits that cannot be certified
// are no error: then the violation is the smallest that was found. Throws as design_identified.
LimitedIdentified design_under_identified_limits(const Problem& problem,
                                                 const IdentifiedPlant& plant);

// What the logs themselves say of the covariances, without the room of the confidence set.
struct LoggedCovariances {
  Matrix U_v, U_0;  // U_0 on zeta; empty for ever
};
LoggedCovariances logged_covariances(const IdentifiedPlant& plant);

}  // namespace loopcert
