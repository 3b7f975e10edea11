// The families of coverage that are about certificates of measured costs.
#pragma once

#include <vector>

#include "calibration/coverage.hpp"
#include "loopcert/measurement/measure.hpp"

namespace loopcert {

std::vector<CoverageFamily> measured_families();

// Whether the kind compares the cell's response with LQR.
bool compares_measured(const std::string& kind);

// What the cell's problem says of the costs of its response, and of LQR's where it is compared.
MeasureOptions measure_options(const CoverageCell& cell);

}  // namespace loopcert
