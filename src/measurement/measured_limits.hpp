// Violations that were counted.
#pragma once

#include "loopcert/measurement/measure.hpp"

namespace loopcert {

// n x rows at steps, 0 or 1: the probability of any in an episode, or of the worst at its step.
Certificate certificate_of_violations(const MatrixView& violations, bool each, double delta);

}  // namespace loopcert
