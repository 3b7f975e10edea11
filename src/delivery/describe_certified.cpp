#include "controller/closed_loop.hpp"
#include "core/json_fields.hpp"
#include "data/moments.hpp"
#include "delivery/describe.hpp"
#include "response/lqr.hpp"
#include "risk/risk.hpp"

namespace loopcert {

report::RunReport describe_certified(const Problem& problem, const Controller& controller,
                                     const Disturbances& data, const nlohmann::json& record) {
  RunParts parts;
  parts.record = {{"status", "done"},
                  {"method", "given"},
                  {"n", data.n() > 0 ? data.n() : count_at(record, "n")},
                  {"certificate", record}};
  for (const char* key : {"warnings", "limits", "signals", "signals_from", "logged_cost",
                          "logged_cost_standard_error"})
    if (record.contains(key)) parts.record[key] = record[key];
  if (!problem.system.plant.has_state()) parts.record["reference"] = "open-loop";
  const Response own = closed_loop_response(problem.system, controller);
  const Response lqr = lqr_response(problem.system);
  const auto add = [&](const char* key, const char* lqr_key, const Moments& moments) {
    parts.record[key] = response_risk(problem.system, own, moments);
    parts.record[lqr_key] = response_risk(problem.system, lqr, moments);
  };
  if (data.n() > 0) add("empirical_cost", "lqr_empirical_cost", sample_moments(data));
  constexpr double rounding = 1e-9;
  if (relative_distance(problem.system, own, lqr) < rounding)
    parts.record["details"] = {{"deployed", "lqr"}, {"why", "it was given"}};
  if (problem.disturbance.law)
    add("population_cost", "lqr_cost", law_moments(*problem.disturbance.law));
  parts.controller = controller;
  parts.controller.provenance["problem"] = problem.name;
  parts.problem = problem;
  parts.data = data;
  report::RunReport run = describe_run(parts);
  run.deed = report::Deed::certify;
  if (problem.baseline) run.baseline_form = problem.baseline->form;
  const nlohmann::json inputs = record.value("inputs", nlohmann::json::object());
  const std::string other = text_at(inputs, "baseline");
  run.compared_with = other == "lqr"       ? run.reference
                      : other == "problem" ? "today's controller"
                                           : "the baseline";
  run.record = record;
  return run;
}

}  // namespace loopcert
