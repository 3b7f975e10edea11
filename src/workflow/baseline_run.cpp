#include "workflow/baseline_run.hpp"

#include "certificate/from_problem.hpp"
#include "certificate/portfolio.hpp"
#include "certificate/record_json.hpp"
#include "core/json_fields.hpp"
#include "data/moments.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/core/rounded.hpp"
#include "loopcert/simulation/rollout.hpp"
#include "risk/risk.hpp"
#include "workflow/freshness.hpp"
#include "workflow/record_files.hpp"

namespace loopcert {

BaselineRun run_baseline(Problem problem, const Disturbances& data) {
  const Baseline& baseline = problem.baseline.value();
  check_fresh(baseline.controller, data, "the baseline");
  BaselineRun run;
  run.form = baseline.form;
  const Response response = baseline_response(problem);
  if (problem.disturbance.law)
    run.population_cost =
        response_risk(problem.system, response, law_moments(*problem.disturbance.law));
  if (data.n() == 0) return run;
  const CostStatistics costs = cost_statistics(response_costs(problem.system, response, data.w));
  run.cost = costs.mean;
  run.standard_error = costs.standard_error;
  problem.certificate.kind = "best";
  problem.certificate.delta = total_delta(problem);
  problem.certificate.parts.clear();
  run.inputs = certificate_inputs(problem_inputs(problem), hashes_of(data));
  run.file = add_controller(run.inputs, "controller", "baseline.json", baseline.controller);
  try {
    run.certificate = best_fixed_certificate(problem, response, data);
  } catch (const InputError&) {  // no assumption that any of them could rest on
  }
  return run;
}

std::string against_baseline(const std::optional<Certificate>& improvement,
                             const std::string& deployed, bool certified, bool whole) {
  if (deployed == "baseline") return "it is the one that runs today";
  if (improvement) {
    const std::string confidence =
        ", at separate confidence " + confidence_text(improvement->confidence);
    const std::string bound = bound_text(improvement->value);
    if (improvement->value < 0) return "costs less by at least " + bound.substr(1) + confidence;
    return "costs at most " + bound + " more" + confidence +
           ": the data do not show that it costs less";
  }
  if (!certified)
    return "not certified: ask for certificate best, a hold-out or a cross kind, or certify it on "
           "fresh data";
  if (whole)
    return "not certified: all data were learned from; use certificate best, a hold-out or a cross "
           "kind, or fresh data";
  return "not certified: no kind that compares is allowed by the assumptions, or has a value below "
         "the certificate";
}

void add_baseline(nlohmann::json& record, const std::optional<BaselineRun>& run) {
  if (!run) return;
  const auto number = [](const std::optional<double>& value) {
    return value ? nlohmann::json(*value) : nlohmann::json();
  };
  record["baseline"] = run->form;
  record["baseline_cost"] = number(run->cost);
  record["baseline_cost_standard_error"] = number(run->standard_error);
  record["baseline_population_cost"] = number(run->population_cost);
  record["baseline_certificate"] =
      run->certificate ? certificate_to_json(*run->certificate, run->inputs) : nlohmann::json();
  record["baseline_verdict"] = run->verdict;
}

std::optional<BaselineRun> baseline_of(const nlohmann::json& record) {
  if (!record.contains("baseline")) return std::nullopt;
  BaselineRun run;
  run.form = text_at(record, "baseline");
  run.cost = number_at(record, "baseline_cost");
  run.standard_error = number_at(record, "baseline_cost_standard_error");
  run.population_cost = number_at(record, "baseline_population_cost");
  run.verdict = text_at(record, "baseline_verdict");
  const auto found = record.find("baseline_certificate");
  if (found != record.end() && found->is_object()) {
    const CertificateRecord certified = record_from_json(*found);
    run.certificate = certified.certificate;
    run.inputs = certified.inputs;
  }
  return run;
}

}  // namespace loopcert
