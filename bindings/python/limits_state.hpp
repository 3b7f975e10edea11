// Limits and signals of a run as Python objects, and as the state of a pickle.
#pragma once

#include "bind.hpp"
#include "workflow/limits_report.hpp"

namespace loopcert::python {

// limits.json, or None.
py::object limits_record(const std::optional<LimitsReport>& limits, const nlohmann::json& inputs);
// `limits` and `signals` of run.json.
py::object limits_tree(const std::optional<LimitsReport>& limits, const SignalReport& signals,
                       const Certificate* cost);
py::object signals_tree(const SignalReport& signals);

// (), or everything of the report.
py::tuple limits_state(const std::optional<LimitsReport>& limits);
std::optional<LimitsReport> limits_from_state(const py::tuple& state);
py::tuple signals_state(const SignalReport& signals);
SignalReport signals_from_state(const py::tuple& state);

}  // namespace loopcert::python
