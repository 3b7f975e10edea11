// Recordings that a controller was learned from, known again up to rounding and cutting. The rule
// is that of docs/trust.md, written a second time.
#pragma once

#include "formats/files.hpp"

namespace verify {

struct Traces {
  std::vector<double> first, later;             // sizes of the entries of step 0 and of later steps
  std::vector<long> lost, most;                 // bits that a step does not say, or says at most
  std::vector<std::vector<std::int64_t>> rows;  // for each recording, for each step
};

Traces parse_traces(const json& tree);

// The first row of the data that is a known recording, a part of one or longer than one; -1: none.
long known_row(const Traces& known, const Table& data);

}  // namespace verify
