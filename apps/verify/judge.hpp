// Holds a record against the bound that was recomputed.
#pragma once

#include "bounds.hpp"

namespace verify {

struct Verdict {
  double value = 0;       // upper end of the bound
  double confidence = 0;  // lower end of 1 - sum of the deltas
};

// What does not depend on the precision: hashes, sizes, deltas, repeated trajectories.
void check_files(const Record& record, const Controller& controller, const Table& data);
// The trajectories that certify: those that the controller or the prior was not learned from.
Table certifying_rows(const Record& record, const Table& data);

// Throws Refuted with the first thing that fails, TooWide when balls are too wide to tell.
Verdict judge(const Record& record, const Bound& bound);

}  // namespace verify
