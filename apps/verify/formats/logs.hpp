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

// What is in a column, what counts as zero there, and by how much its numbers are multiplied.
struct Column {
  std::string name;
  double factor = 1, zero = 0;

  double value(double number) const { return factor * (number - zero); }
};
Column column_of(const json& text);
// The columns that the problem lists under a key of [data]; none.
std::vector<Column> listed(const Problem& problem, const char* key, long count);
std::string without_unit(const std::string& text);  // "name" of "name [unit]"

// A log as it comes in, step by step: what was measured, then the inputs that followed, in columns
// named as the problem says, or in this order. Runs without a gap; y has one row more than u, or as
// many where the log ends with inputs.
Logs read_steps(const std::filesystem::path& file, const Problem& problem);

}  // namespace verify
