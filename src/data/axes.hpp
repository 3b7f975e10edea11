// An array's axes: which one counts episodes, which steps, which components.
#pragma once

#include <string>
#include <vector>

#include "data/array.hpp"
#include "loopcert/data/layout.hpp"

namespace loopcert {

// One matrix per episode, steps x components.
using Episodes = std::vector<Matrix>;

// What an array or a table is expected to hold.
struct Quantity {
  std::string symbol;    // x | y | u | w
  Index steps = 0;       // of an episode: T + 1 for x and w, T for u
  Index components = 0;  // n_x or n_u
  bool longer = false;   // more steps are fine
  bool log = false;      // of any length: an array of two axes is one of them, steps x components
};

// With `axes` of three names an array of two axes is read as one whose two axes other than the
// episodes were merged, the first of them slowest; with two names an array is one episode. Without
// names the order is episode, step, component, and an array that could also be read in another way
// is refused with the readings spelled out.
Episodes episodes_from_array(const Array& array, const std::vector<Axis>& axes,
                             const Quantity& quantity);

}  // namespace loopcert
