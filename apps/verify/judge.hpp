// Holds a record against the bound that was recomputed.
#pragma once

#include "bounds.hpp"

namespace verify {

// What does not depend on the precision: hashes, sizes, deltas, repeated trajectories.
void check_files(const Record& record, const Controller& controller, const Table& data);
// The trajectories that certify: those that the controller or the prior was not learned from.
Table certifying_rows(const Record& record, const Table& data);

// 1 - sum of the deltas, rounded down; Refuted when the record states more.
double check_confidence(const Record& record);

// The upper end of the bound. Refuted with the first thing that fails, TooWide when balls are too
// wide to tell.
double judge(const Record& record, const Bound& bound);

}  // namespace verify
