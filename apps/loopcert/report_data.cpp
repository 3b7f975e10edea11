#include "report_data.hpp"

#include "load_data.hpp"

#include <cmath>

#include "loopcert/certificate/record.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/core/parallel.hpp"
#include "loopcert/data/law.hpp"
#include "loopcert/response/response.hpp"
#include "loopcert/simulation/rollout.hpp"
#include "options.hpp"

namespace loopcert::app {
namespace {

using Json = nlohmann::json;

// Trajectories drawn for the plots: enough for steady quantiles, and soon simulated.
constexpr Index drawn = 400;

std::optional<double> number(const Json& tree, const char* key) {
  if (!tree.is_object() || !tree.contains(key) || !tree[key].is_number()) return std::nullopt;
  return tree[key].get<double>();
}

// A count that is none is shown as 0.
Index count(const Json& tree, const char* key) {
  const double value = number(tree, key).value_or(0);
  return value >= 0 && value <= 1e15 ? static_cast<Index>(value) : 0;
}

std::string text(const Json& tree, const char* key) {
  return tree.is_object() && tree.contains(key) && tree[key].is_string()
             ? tree[key].get<std::string>()
             : std::string();
}

report::CertificateFacts certificate_facts(const Certificate& c) {
  report::CertificateFacts facts;
  facts.kind = c.kind;
  facts.subject = c.subject;
  facts.chosen = c.chosen;
  for (const Json& row : c.all)
    facts.others.push_back({text(row, "kind"), text(row, "status"), text(row, "needs"),
                            number(row, "value"), number(row, "delta").value_or(0),
                            row.is_object() && row.value("chosen", Json()) == true});
  facts.oracle = c.oracle;
  facts.value = c.value;
  facts.confidence = c.confidence;
  for (const Term& term : c.terms) facts.terms.push_back({term.name, term.symbol, term.value});
  for (const Event& event : c.events)
    facts.events.push_back({event.name, event.delta, event.statement});
  facts.assumptions = c.assumptions;
  facts.kl = c.kl;
  facts.lambda = c.lambda;
  if (c.solver.status != "none")
    facts.solver = c.solver.status + " after " + std::to_string(c.solver.iterations) +
                   (c.solver.iterations == 1 ? " iteration" : " iterations");
  return facts;
}

void add_record(report::RunReport& run, const Json& record) {
  run.method = text(record, "method");
  run.status = text(record, "status");
  if (record.contains("details") && text(record["details"], "deployed") == "lqr")
    run.kept_lqr = text(record["details"], "why");
  if (record.contains("reconstruction") && record["reconstruction"].is_array())
    for (const Json& r : record["reconstruction"])
      run.residuals.push_back({text(r, "component"), number(r, "residual_rms").value_or(0),
                               number(r, "change_rms").value_or(0),
                               number(r, "residual_mean").value_or(0),
                               number(r, "residual_largest").value_or(0)});
  run.n = count(record, "n");
  run.p = count(record, "p");
  run.empirical_cost = number(record, "empirical_cost");
  run.lqr_cost_estimate = number(record, "lqr_cost_estimate");
  run.population_cost = number(record, "population_cost");
  run.optimal_cost = number(record, "optimal_cost");
  run.lqr_cost = number(record, "lqr_cost");
  run.sensitivity = number(record, "sensitivity");
  run.prescient_certificate = number(record, "prescient_certificate");
  if (record.contains("certificate") && record["certificate"].is_object())
    run.certificate = certificate_facts(certificate_from_json(record["certificate"]));
  if (record.contains("improvement") && record["improvement"].is_object())
    run.improvement = certificate_facts(certificate_from_json(record["improvement"]));
  if (record.contains("baselines") && record["baselines"].is_array())
    for (const Json& b : record["baselines"])
      if (text(b, "method") != "lqr")  // every run shows LQR already
        run.baselines.push_back(
            {text(b, "method"), number(b, "empirical_cost"), number(b, "population_cost")});
  if (record.contains("warnings") && record["warnings"].is_array())
    for (const Json& warning : record["warnings"])
      if (warning.is_string()) run.warnings.push_back(warning.get<std::string>());
  run.record = record;
}

// Fresh draws where there is a law, else the data: what the controller will meet, or has met.
void add_paths(report::RunReport& run, const RunParts& parts) {
  const Problem& problem = *parts.problem;
  Disturbances w = parts.data;
  if (problem.disturbance.law) {
    w = sample_disturbances(*problem.disturbance.law, Stream{0, sample_to_simulate}, drawn);
    run.paths_source = std::to_string(drawn) + " trajectories drawn afresh from the problem's law";
  } else {
    run.paths_source = "the " + std::to_string(w.n()) + " trajectories it was learned from";
  }
  if (w.n() == 0) return;
  Simulation simulation = simulate(problem.system, parts.controller, w, true, default_threads());
  run.state_paths = std::move(simulation.paths.x);
  run.input_paths = std::move(simulation.paths.u);
}

// The name people read: the label, and which certificate when there is one.
std::string method_name(const Json& row) {
  const std::string label = text(row, "label");
  std::string name = label.empty() ? text(row, "method") : label;
  if (!row.contains("certificate")) return name;
  const Json& certificate = row["certificate"];
  const std::string kind =
      certificate.is_object() ? text(certificate, "kind") : text(row, "certificate");
  return kind.empty() ? name : name + ", " + kind;
}

bool read_row(const Json& row, report::SweepRow& out) {
  if (!row.is_object() || text(row, "status") == "failed" || !number(row, "n")) return false;
  out.problem = text(row, "problem");
  out.method = method_name(row);
  out.n = *number(row, "n");
  if (out.problem.empty() || out.method.empty() || !(out.n >= 0)) return false;
  out.seed = row.contains("seed") ? row["seed"].dump() : "";
  out.cost = number(row, "population_cost");
  if (!out.cost) out.cost = number(row, "test_cost");
  out.sensitivity = number(row, "sensitivity");
  out.certificate = number(row, "certificate_value");
  if (row.contains("certificate") && !out.certificate)
    out.certificate = number(row["certificate"], "value");
  out.prescient_certificate = number(row, "prescient_certificate");
  out.lqr_cost = number(row, "lqr_cost");
  out.optimal_cost = number(row, "optimal_cost");
  // Only of exact costs: to drop the simulated ones that came out too small would bias the mean.
  const std::optional<double> exact = number(row, "population_cost");
  if (exact && out.optimal_cost && *exact > *out.optimal_cost * (1 + 1e-9))
    out.excess = *exact - *out.optimal_cost;
  return true;
}

}  // namespace

report::RunReport describe_run(const RunParts& parts) {
  report::RunReport run;
  if (!parts.record.is_object()) throw_input_error("run.json", "something else", "an object");
  add_record(run, parts.record);
  const auto named = parts.controller.provenance.find("problem");
  if (named != parts.controller.provenance.end()) run.problem = named->second;
  run.K = parts.controller.K;
  run.horizon = parts.controller.sizes.T;
  run.states = parts.controller.sizes.n_x;
  run.inputs = parts.controller.sizes.n_u;
  run.missing = parts.missing;
  if (parts.posterior) run.posterior_standard_deviation = parts.posterior->variance.cwiseSqrt();
  run.disturbances = parts.data.w;
  if (!parts.problem) return run;
  run.problem = parts.problem->name;
  for (const ColumnSpec& c : parts.problem->data.states) run.state_names.push_back(column_text(c));
  for (const ColumnSpec& c : parts.problem->data.inputs) run.input_names.push_back(column_text(c));
  run.scale_bound = parts.problem->disturbance.scale_bound;
  if (parts.problem->disturbance.law)
    run.law_covariance = parts.problem->disturbance.law->covariance;
  const Response response = closed_loop_response(parts.problem->system, parts.controller);
  run.Phi_x = response.Phi_x;
  run.Phi_u = response.Phi_u;
  add_paths(run, parts);
  return run;
}

report::SweepReport describe_sweep(const Json& results) {
  const Json* rows = &results;
  report::SweepReport sweep;
  sweep.title = "Sweep";
  if (results.is_object()) {
    if (!text(results, "name").empty()) sweep.title = "Sweep " + text(results, "name");
    if (!results.contains("results")) throw_input_error("results", "nothing", "an array of rows");
    rows = &results["results"];
  }
  if (!rows->is_array()) throw_input_error("results", "something else", "an array of rows");
  for (const Json& row : *rows) {
    report::SweepRow out;
    if (read_row(row, out))
      sweep.rows.push_back(std::move(out));
    else
      ++sweep.skipped;
  }
  sweep.record = *rows;
  return sweep;
}

}  // namespace loopcert::app
