// Traces held against each other: how much a step says, and which rows agree.
#pragma once

#include "loopcert/data/traces.hpp"

namespace loopcert {

// One step of one row, in units of 2^-40: the weighted mean of its entries, and of their sizes.
struct StepNumber {
  std::int64_t value = 0;
  double size = 0;
};

// n x steps, rows one after the other.
struct StepNumbers {
  std::vector<StepNumber> all;
  Index steps = 0;

  Index n() const { return static_cast<Index>(all.size()) / steps; }
  const StepNumber& at(Index row, Index t) const {
    return all[static_cast<size_t>(row * steps + t)];
  }
};

// How far from a number its copy may be after rounding to a part `level` of each entry.
inline std::int64_t trace_room(const StepNumber& number, double level) {
  return static_cast<std::int64_t>(level * number.size) + 1;
}

// Sets `lost` and `most`.
void count_bits(const StepNumbers& numbers, Traces& traces);

// For each of the rows: a known row that it shares its steps with, or -1. `earlier`: the rows are
// the known ones themselves, and each is held against those before it.
std::vector<Index> known_rows(const Traces& known, const StepNumbers& rows, bool earlier);

}  // namespace loopcert
