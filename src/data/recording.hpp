// How trajectories are known again, whole or in part, exactly or up to rounding.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "data/hash.hpp"
#include "loopcert/data/traces.hpp"

namespace loopcert {

struct Recording {
  DataHashes hashes;                      // of all of them
  std::vector<std::string> fingerprints;  // of each
  std::map<std::string, Traces> traces;   // "disturbances", "logs"; none of no trajectories
};

Recording recording_of(const Disturbances& data, const Plant& plant);

}  // namespace loopcert
