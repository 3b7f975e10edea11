// From the files and results of the other rooms to the plain records that a page is made of.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "certificate/gaussian.hpp"
#include "inspection/inspection.hpp"
#include "loopcert/controller/controller.hpp"
#include "loopcert/data/disturbances.hpp"
#include "loopcert/measurement/measure.hpp"
#include "loopcert/problem/problem.hpp"
#include "report/identification_report.hpp"
#include "report/inspection_report.hpp"
#include "report/measured_report.hpp"
#include "report/run_report.hpp"
#include "report/sweep_report.hpp"
#include "report/watch_report.hpp"
#include "sweeps/reproduction.hpp"
#include "watch/plant_watch.hpp"
#include "watch/watch_record.hpp"
#include "watch/watch_trace.hpp"
#include "workflow/identify_run.hpp"

namespace loopcert {

// What is known of a run: all of it just after learning, less when only its folder is there.
struct RunParts {
  nlohmann::json record;  // run.json
  Controller controller;
  std::optional<Problem> problem;
  std::optional<Posterior> posterior;
  Disturbances data;    // n = 0: not at hand
  std::string missing;  // a sentence, when something is
};

// Throws InputError when the record has another form.
report::RunReport describe_run(const RunParts& parts);

// A controller that was given: `record` is what `certify --json` prints, or its certificate.json.
report::RunReport describe_certified(const Problem& problem, const Controller& controller,
                                     const Disturbances& data, const nlohmann::json& record);

// The same from the files of `certify --out`. `data`: those of the certificate, or none. Throws
// InputError when a file is missing or has another hash.
report::RunReport describe_certified(const std::filesystem::path& certificate,
                                     const Disturbances& data);

report::MeasuredReport describe_measured(const MeasureResult& measured);

// `before`: what earlier calls saw.
report::WatchReport describe_watch(const WatchRecord& record, const WatchTrace& trace,
                                   Index before);
report::WatchReport describe_watch(const PlantWatch& watch, const WatchTrace& trace, Index before);

// Of results.json. Rows that failed or lack what every row needs are counted, not shown.
report::SweepReport describe_sweep(const nlohmann::json& results);

// The same with the paper's figures and tables in front.
report::SweepReport describe_reproduction(const nlohmann::json& results,
                                          const Reproduction& reproduction);

std::vector<report::InspectionReport::Check> describe_checks(const std::vector<Check>& checks);

// `record`: identification.json.
report::IdentificationReport describe_identification(const Identification& found,
                                                     const Problem& problem,
                                                     const nlohmann::json& record);

// `record`: inspection.json.
report::InspectionReport describe_innovations(const Inspection& inspection,
                                              const Matrix& innovations,
                                              const nlohmann::json& record);
report::InspectionReport describe_inspection(const Inspection& inspection, const Problem& problem,
                                             const Disturbances& data,
                                             const nlohmann::json& record);

}  // namespace loopcert
