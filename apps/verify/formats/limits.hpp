// Limits on states and inputs, as a problem file has them (docs/problem-file.md, [limits]).
#pragma once

#include "formats/files.hpp"

namespace verify {

// low <= x'x_t + u'u_t <= high at the steps from first to last.
struct LimitRow {
  std::vector<double> x, u;
  double low = 0, high = 0;  // infinite where there is none
  long first = 0, last = 0;

  bool operator==(const LimitRow&) const = default;
};

struct Limits {
  std::vector<LimitRow> rows;
  double target = 0.05;      // probability of a violation that is asked for
  bool each = false;         // of each row at each step; otherwise of any in an episode
  std::string set;           // instead, for every disturbance of a box | steps | radius; or empty
  std::vector<double> size;  // of the set: of each entry of a step, or one radius
  double delta = 0.05;
  std::string kind = "limits-best";

  bool robust() const { return !set.empty(); }
  long count() const;  // rows at steps
};

// [limits] of a whole problem file, in every form that it may have; nothing without any.
std::optional<Limits> parse_limits(const json& tree, long n_x, long n_u, long T);

// Whether the same is asked for: not of which kind and delta.
bool same_limits(const std::optional<Limits>& a, const std::optional<Limits>& b);

}  // namespace verify
