// The controller that runs today: what it costs, what is certified of it, and what a new one is
// certified to cost more or less.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "loopcert/certificate/record.hpp"
#include "loopcert/data/disturbances.hpp"
#include "loopcert/problem/problem.hpp"

namespace loopcert {

// The certificate is the best of all that the problem's assumptions allow, on all the data, with a
// delta of its own.
struct BaselineRun {
  std::string form;            // gain, pid, …
  std::optional<double> cost;  // mean on the data; nothing without data
  std::optional<double> standard_error;
  std::optional<double> population_cost;             // under the law, where it is stated
  std::optional<Certificate> certificate;            // nothing where the assumptions allow none
  nlohmann::json inputs = nlohmann::json::object();  // of its record
  std::string file;     // the bytes of baseline.json, whose hash the record holds
  std::string verdict;  // a new controller against it, in a sentence
};

// Throws InputError when the baseline was learned from these data.
BaselineRun run_baseline(Problem problem, const Disturbances& data);

// "costs less by at least 2.1, at separate confidence 0.95", or that it is not shown and why.
// `deployed`: "baseline" where that is what was deployed.
std::string against_baseline(const std::optional<Certificate>& improvement,
                             const std::string& deployed, bool certified, bool whole);

// baseline_cost and what belongs to it, for run.json.
void add_baseline(nlohmann::json& record, const std::optional<BaselineRun>& run);
std::optional<BaselineRun> baseline_of(const nlohmann::json& record);

}  // namespace loopcert
