// Logs of any length: read, checked, hashed.
#pragma once

#include <string>

#include "loopcert/data/disturbances.hpp"
#include "loopcert/data/logs.hpp"
#include "loopcert/data/trajectory_files.hpp"

namespace loopcert {

// Each file, or each episode in it, is one log. An array of two axes is one log, steps x
// components.
Logs read_long_logs(const Paths& paths, const DataLayout& layout, Index n_y, Index n_u);

// Episodes of T steps.
Logs logs_of(const Rollouts& rollouts, const Sizes& sizes);

// Throws InputError: none, no step in one, other sizes, NaN or Inf, or two of them equal.
void check_logs(const Logs& logs, Index n_y, Index n_u, bool keep_repeated);

// Which log is where when they are in the order of their first measurements and first inputs, entry
// by entry; equal ones as they are given.
std::vector<size_t> order_of_starts(const Logs& logs);

// The logs in that order, each with its place in the files.
Logs by_starts(const Logs& logs);

// "episode 3": where a message says that a log is.
std::string log_place(const Logs& logs, size_t i);

// SHA-256 of y of all episodes row by row, then u: for rollouts that of data/hash.hpp.
std::string logs_hash(const Logs& logs);

}  // namespace loopcert
