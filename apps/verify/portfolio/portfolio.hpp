// Kind best: many certificates, one delta (docs/theory/portfolio.md).
#pragma once

#include "kinds/kinds.hpp"

namespace verify {

// The record of the kind that a portfolio chose, with its own events: Refuted unless each kind that
// the problem grants has the share of delta that the rule gives it.
Record chosen_record(const Record& record, const Controller& controller);

// The same for kind limits-best: the chosen kind, then the others that were computed, each with its
// own events; so many trajectories certify.
std::vector<Record> limits_members(const Record& record, long certifying);

}  // namespace verify
