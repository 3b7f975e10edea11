// What a run says about limits and about the size of its signals.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "certificate/limits.hpp"
#include "learning/limited.hpp"
#include "loopcert/data/disturbances.hpp"
#include "risk/signals.hpp"

namespace loopcert {

struct LimitsReport {
  Limits limits;
  std::optional<LimitsBound> bound;        // how surely they hold; absent without data
  std::optional<LimitedMinimizer> design;  // what learning under them came to
  std::optional<Violations> on_data, lqr_on_data, under_law, lqr_under_law;
};

struct SignalReport {
  std::vector<SignalSize> sizes;
  std::string from;  // "law", "data", or "" without either
};

SignalReport report_signals(const Problem& problem, const Response& response,
                            const Disturbances& data);

// Nothing without [limits].
std::optional<LimitsReport> report_limits(const Problem& problem, const Response& response,
                                          const Response& lqr, const Disturbances& data);

// `limits` and `signals` of run.json. `cost`: with the limits' certificate it is one statement.
void add_limits(nlohmann::json& record, const std::optional<LimitsReport>& limits,
                const SignalReport& signals, const Certificate* cost);

// How long a step lasts, where that is known: `step_time` and `time_unit` of run.json.
void add_step_time(nlohmann::json& record, const std::optional<StepTime>& time);

}  // namespace loopcert
