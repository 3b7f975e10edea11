// Logs of a plant that is estimated: what was measured, and the inputs.
#pragma once

#include "formats/problem.hpp"

namespace verify {

struct Log {
  Table y, u;      // steps + 1 and steps rows
  long place = 0;  // in the files, from 1

  long steps() const { return u.rows; }
};
using Logs = std::vector<Log>;

// Files as the problem's [data] says (docs/data.md): .npz, .npy or .csv with states and inputs, or
// with states alone, and their inputs in the next file. For an infinite horizon in the order of the
// files, which is that of time; otherwise in the order of the starts, x_0 and u_0 entry by entry.
Logs read_logs(const std::vector<std::filesystem::path>& files, const Problem& problem);

// y of all episodes row by row, then u: what logs_sha256 is taken of.
std::string hash_of(const Logs& logs);

// What a file has of each episode: tables of steps x entries.
struct Episodes {
  std::vector<Table> x, u;
};
// A table with names of columns: a row for each step, or for each episode (data.layout).
Episodes parse_log_table(const std::string& bytes, const Problem& problem);

}  // namespace verify
