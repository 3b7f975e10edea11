// Limits and sizes of signals, as a person reads them.
#pragma once

#include "cli/output.hpp"
#include "workflow/limits_report.hpp"

namespace loopcert::app {

// How surely limits hold, how often they are broken now and by LQR, and what each costs.
void add_limits(Table& table, const std::optional<LimitsReport>& limits, const Certificate* cost,
                const std::string& reference = "LQR");

// "broken in an episode with probability at most 0.05, confidence 0.95"
std::string limits_claim(const Limits& limits, const Certificate& certificate);

// The smallest cost under the law, and which limits it keeps.
std::string optimum_text(double cost, const std::optional<LimitsReport>& limits);

// Under limits that nothing keeps.
std::string no_optimum_text(const Limits& limits);

// By the names of the log files where the problem states them.
void add_signals(Table& table, const SignalReport& signals, const Problem& problem);

}  // namespace loopcert::app
