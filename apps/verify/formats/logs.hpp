// Logs of a plant that is estimated: what was measured, and the inputs.
#pragma once

#include "formats/problem.hpp"

namespace verify {

struct Log {
  Table y, u;  // steps + 1 and steps rows

  long steps() const { return u.rows; }
};
using Logs = std::vector<Log>;

// .npz files with arrays x and u as numpy.savez stores them: episodes x steps x entries, or one
// episode without the first axis. Episodes in the order of the files.
Logs read_logs(const std::vector<std::filesystem::path>& files, const Problem& problem);

// y of all episodes row by row, then u: what logs_sha256 is taken of.
std::string hash_of(const Logs& logs);

}  // namespace verify
