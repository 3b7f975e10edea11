// What the sequence of costs says against independent episodes of one law, and against that law.
#pragma once

#include "loopcert/measurement/measure.hpp"

namespace loopcert {

// Drift, correlation of neighbours, a cost that no Gaussian loop has: false alarms in at most 1 %
// of the runs where all is as assumed.
std::vector<Warning> cost_warnings(const MeasureResult& measured);

// Midranks, minus their mean, over their norm; zeros where all are equal.
Vector centred_ranks(const Vector& values);

}  // namespace loopcert
