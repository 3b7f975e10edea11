// Limits and sizes of signals, as a person reads them.
#pragma once

#include "cli/output.hpp"
#include "workflow/limits_report.hpp"

namespace loopcert::app {

// How surely limits hold, how often they are broken now and by LQR, and what each costs.
void add_limits(Table& table, const std::optional<LimitsReport>& limits, const Certificate* cost,
                const std::string& reference = "LQR");

void add_signals(Table& table, const SignalReport& signals);

}  // namespace loopcert::app
