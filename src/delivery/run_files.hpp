// The files that a run leaves in its folder.
#pragma once

#include <nlohmann/json.hpp>

#include "delivery/folder.hpp"
#include "loopcert/data/disturbances.hpp"
#include "loopcert/problem/problem.hpp"
#include "report/run_report.hpp"
#include "workflow/certify_run.hpp"
#include "workflow/identified_run.hpp"
#include "workflow/learn_run.hpp"

namespace loopcert {

// controller.json, run.json (`record`), report.html, and what there is of certificate.json,
// posterior.npz, responses.npz and improvement.json; of an earlier run none of these stays.
void add_learn_files(OutputFolder& folder, const Problem& problem, const Disturbances& data,
                     const LearnRun& run, const nlohmann::json& record);

// The same of a run with an identified plant.
void add_identified_files(OutputFolder& folder, const Problem& problem, const Logs& logs,
                          const IdentifiedRun& run, const nlohmann::json& record);

// The page of that run.
report::RunReport describe_identified(const Problem& problem, const Logs& logs,
                                      const IdentifiedRun& run, const nlohmann::json& record);

// certificate.json (`record`), controller.json, report.html and, with a baseline, baseline.json.
void add_certify_files(OutputFolder& folder, const nlohmann::json& record, const CertifyRun& run);

}  // namespace loopcert
