// Parts of what a page shows of a run, from its record.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "loopcert/certificate/record.hpp"
#include "loopcert/data/disturbances.hpp"
#include "loopcert/problem/problem.hpp"
#include "loopcert/response/response_maps.hpp"
#include "report/run_report.hpp"
#include "workflow/identified_run.hpp"

namespace loopcert {

report::CertificateFacts certificate_facts(const Certificate& c);
std::optional<report::LimitsFacts> limits_facts(const nlohmann::json& record);
std::vector<report::SignalFacts> signal_facts(const nlohmann::json& record);

// The closed loops of the page on the same trajectories: that of `own`, and those beside it.
void add_loops(report::RunReport& run, const Problem& problem, const Disturbances& data,
               const Response& own);

// What signals are called, in which units, and how long a step is.
void add_names(report::RunReport& run, const Problem& problem);

// The same for a controller that has no last step.
void add_endless_loops(report::RunReport& page, const Problem& problem, const Logs& logs,
                       const IdentifiedRun& run);

}  // namespace loopcert
