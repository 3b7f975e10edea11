// Trajectories by the hash of their bits: the same recording twice, or in two data sets.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "loopcert/data/disturbances.hpp"
#include "loopcert/data/traces.hpp"

namespace loopcert {

// One per row: the first 16 hexadecimal digits of the SHA-256 of its numbers. Two different rows of
// a million share one with probability below 1e-7.
std::vector<std::string> row_fingerprints(const Disturbances& data);

// The earliest row that was there before, from 0, and the last row before it that it equals in
// every number.
std::optional<RowPair> first_repeated(const Disturbances& data);

// Throws InputError when two trajectories are one recording: equal in every number, or equal up to
// rounding, or with steps in common (traces.hpp).
void check_repeated(const Disturbances& data, const Plant& plant);

// Rows of `here` that are also among `there`.
std::vector<Index> shared_rows(const std::vector<std::string>& here,
                               const std::vector<std::string>& there);

}  // namespace loopcert
