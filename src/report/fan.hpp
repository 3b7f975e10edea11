// One signal over an episode: quantile bands over trajectories, some of them one by one, the same
// under other controllers, limits, and what it is to follow.
#pragma once

#include <string>
#include <vector>

#include "loopcert/core/types.hpp"
#include "report/figure.hpp"
#include "report/time_axis.hpp"

namespace loopcert::report {

// A line over its steps; one far outside would flatten everything else and is named in the caption
// alone.
struct FanLimit {
  double value = 0;
  Index first = 0, last = 0;
};

// The same signal under another controller.
struct FanBeside {
  std::string name;
  Matrix paths;
  std::string css;  // its colour
};

struct FanPlot {
  std::string name;  // of the signal, with its unit
  Matrix paths;      // one trajectory a row, one value for each step
  std::vector<FanLimit> limits = {};
  std::vector<FanBeside> beside = {};
  Vector reference = {};  // empty: none
  TimeAxis axis = {};
  std::string whose = "this controller";
  bool held = false;  // from one step to the next, as inputs are
};

Figure fan_plot(const FanPlot& fan);

}  // namespace loopcert::report
