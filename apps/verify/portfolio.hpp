// Kind best: the smallest of several certificates, with delta shared before the data are seen.
#pragma once

#include "bounds.hpp"

namespace verify {

// The chosen certificate as a record of its own. Refuted unless every certificate that the problem
// grants has its share of delta in the ledger, and no other.
Record chosen_record(const Record& record, const Controller& controller, long n);

}  // namespace verify
