// From numbers to places on a plot, and the ticks that a person would choose.
#pragma once

#include <string>
#include <vector>

namespace loopcert::report {

struct Tick {
  double value = 0;
  std::string label;
};

struct Scale {
  bool log = false;
  double low = 0, high = 1;   // numbers, low < high; both positive when log
  double start = 0, end = 1;  // places of low and high
  std::vector<Tick> ticks;    // within [low, high]

  double at(double value) const;  // clamped to the plot
};

// The smallest and largest finite value seen.
struct Range {
  double low = 0, high = 0;
  bool empty = true;

  void add(double value);
};

// A little wider than the range, with about `count` round ticks. An empty range gives [0, 1].
Scale linear_scale(const Range& range, bool from_zero = false, int count = 5);
// Values that are not positive cannot be shown: a range with one gives a linear scale.
Scale log_scale(const Range& range);
// Logarithmic where the numbers span more than a factor of `factor`.
Scale automatic_scale(const Range& range, double factor = 6);
// Ticks at exactly these values (numbers of trajectories), fewer when they would stand too close.
void set_ticks(Scale& scale, const std::vector<double>& values, double smallest_share);

}  // namespace loopcert::report
