// What is kept of recordings to know them again: one number for each step of each of them.
//
// A step's number is the mean of what was recorded there, each entry in parts of the largest of its
// kind, with weights that no two entries share. A copy that was rounded, cut, prolonged or cut
// elsewhere has the same numbers, nearly. How rare it is that independent recordings come so near
// is counted in bits, by what the rows themselves say, and only what is rare enough is a copy.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "loopcert/data/disturbances.hpp"

namespace loopcert {

struct Traces {
  std::vector<double> first, later;  // what no entry of step 0, of a later step, exceeds
  // Numbers that agree to k bits of their size say k - lost bits about a row, given the steps
  // before, and at most `most`: for each step.
  std::vector<int> lost, most;
  std::vector<std::int64_t> rows;  // n x steps, in units of 2^-40

  Index steps() const { return static_cast<Index>(lost.size()); }
  Index n() const { return steps() > 0 ? static_cast<Index>(rows.size()) / steps() : 0; }
};

// Of disturbances: step 0 is x_0, step t + 1 is w_t. From logs, the entries of w_t are measured by
// the terms it is the difference of: what is nothing but their rounding does not count.
Traces disturbance_traces(const Disturbances& data, const Plant& plant);
// Of what was logged: step 0 is x_0, step t + 1 is (u_t, x_{t+1}). Whatever the model says.
Traces log_traces(const Rollouts& logs, const Sizes& sizes);

// For each row of the data: a known recording that it is a copy of, or a part, or a continuation;
// -1 for none. Where the horizons are shifted against each other half of the shorter must agree.
// Empty when the steps have other sizes.
std::vector<Index> known_disturbances(const Traces& known, const Disturbances& data);
std::vector<Index> known_logs(const Traces& known, const Rollouts& logs);

// The earliest row that is a copy of an earlier one, or overlaps it, and that one.
struct RowPair {
  Index first = 0, second = 0;
};
std::optional<RowPair> first_copy(const Disturbances& data, const Plant& plant);

// As 12 hexadecimal digits for each step; throws InputError when it is no such text.
std::string trace_text(const Traces& traces, Index row);
void append_trace(Traces& traces, const std::string& text);

}  // namespace loopcert
