// The families of coverage that are about certificates of limits.
#pragma once

#include <vector>

#include "calibration/coverage.hpp"

namespace loopcert {

// From one response of a path to the next the input grows by this.
inline constexpr double path_growth = 1.02;

std::vector<CoverageFamily> limits_families();

}  // namespace loopcert
