// Limits on states and inputs: rows low <= g_x'x_t + g_u'u_t <= high at chosen steps, and how
// surely they must hold.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "loopcert/core/types.hpp"
#include "loopcert/system/sizes.hpp"

namespace loopcert {

struct LimitRow {
  std::string name;  // "u0", "x1", or the user's own
  Vector x, u;       // g_x (n_x) and g_u (n_u)
  double low = -INFINITY, high = INFINITY;
  Index first = 0, last = 0;  // steps, both included

  Index steps() const { return last - first + 1; }
};

// For every disturbance of a set, in place of a probability.
struct BoundedSet {
  std::string shape;  // box: |entry| of x_0 and of each w_t; steps: norms of these; radius: of all
  Vector size;        // box: n_w; otherwise one number
};

struct Limits {
  std::vector<LimitRow> rows;
  double probability = 0.05;  // of a violation
  bool each = false;          // of each row at each step; otherwise of any in an episode
  std::optional<BoundedSet> robust = {};
  double delta = 0.05;               // of the certificate that says so
  std::string kind = "limits-best";  // of that certificate

  Index count() const;  // rows at steps
};

// One row at one step: what certificates and learning see.
struct LimitAt {
  Index row = 0, t = 0;
};

// Rows in their order, each with its steps ascending.
std::vector<LimitAt> limits_at_steps(const Limits& limits);

// Throws InputError: sizes, steps that do not exist, an interval that is empty, a row of zeros.
void check_limits(const Limits& limits, const Sizes& sizes);

// [low, high] of each input at every step, where rows of a single input say so: what an actuator
// does. n_u x 2, infinite where there is none; empty when no input has any.
Matrix input_limits(const Limits& limits, const Sizes& sizes);

}  // namespace loopcert
