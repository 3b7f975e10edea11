// The horizontal axis of what happens in an episode: seconds where the time of a step is known,
// else steps.
#pragma once

#include <string>

#include "report/scale.hpp"

namespace loopcert::report {

struct TimeAxis {
  double step = 0;         // the time of one; 0: not known
  std::string unit = "s";  // of it

  double at(double t) const { return step > 0 ? t * step : t; }
  std::string label() const { return step > 0 ? "time, " + unit : "step"; }
  std::string text(double t) const;  // "0.35", or the number of the step
};

// From step 0 to `last`.
Scale time_scale(const TimeAxis& axis, double first, double last);

}  // namespace loopcert::report
