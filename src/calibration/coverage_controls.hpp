// The parts of the built-in plan that show that it can fail, and the premises.
#pragma once

#include "calibration/coverage_plan.hpp"

namespace loopcert {

void add_controls(CoveragePlan& plan);
void add_premises(CoveragePlan& plan);

}  // namespace loopcert
