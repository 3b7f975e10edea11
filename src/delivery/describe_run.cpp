#include <cmath>

#include "certificate/record_json.hpp"
#include "controller/closed_loop.hpp"
#include "core/json_fields.hpp"
#include "data/moments.hpp"
#include "delivery/describe.hpp"
#include "delivery/describe_parts.hpp"
#include "loopcert/certificate/record.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/delivery/words.hpp"
#include "report/statistics.hpp"
#include "response/response.hpp"
#include "response/space.hpp"
#include "risk/risk.hpp"
#include "system/unseen.hpp"

namespace loopcert {

report::CertificateFacts certificate_facts(const Certificate& c) {
  report::CertificateFacts facts;
  facts.kind = c.kind;
  facts.subject = subject_words(c);
  facts.chosen = c.chosen;
  for (const Candidate& row : c.all)
    facts.others.push_back(
        {row.kind, status_words(row), candidate_words(row), row.value, row.delta, row.chosen});
  facts.oracle = c.oracle;
  facts.value = c.value;
  facts.confidence = c.confidence;
  for (const Term& term : c.terms)
    facts.terms.push_back({term_words(term).name, term_words(term).symbol, term.value});
  for (const Event& event : c.events) {
    facts.events.push_back({event_name(event), event.delta, event_words(event)});
    const auto end = event.statement.parameters.find("lambda_end");
    if (end != event.statement.parameters.end()) facts.lambda_end = end->second;
  }
  facts.assumptions = assumption_words(c.assumptions);
  facts.kl = c.kl;
  facts.lambda = c.lambda;
  if (c.solver.status != "none")
    facts.solver = c.solver.status + " after " + std::to_string(c.solver.iterations) +
                   (c.solver.iterations == 1 ? " iteration" : " iterations");
  return facts;
}

namespace {

using Json = nlohmann::json;

void add_record(report::RunReport& run, const Json& record) {
  run.method = text_at(record, "method");
  run.status = text_at(record, "status");
  if (text_at(record, "reference") == "open-loop") run.reference = "the open loop";
  run.deployed = run.method;
  if (record.contains("details"))
    if (const std::string name = text_at(record["details"], "deployed"); !name.empty())
      run.deployed = name;
  if (run.deployed == "lqr" && run.method != "lqr")
    run.kept_lqr = text_at(record["details"], "why");
  if (record.contains("reconstruction") && record["reconstruction"].is_array())
    for (const Json& r : record["reconstruction"])
      run.residuals.push_back({text_at(r, "component"), number_at(r, "residual_rms").value_or(0),
                               number_at(r, "change_rms").value_or(0),
                               number_at(r, "residual_mean").value_or(0),
                               number_at(r, "residual_largest").value_or(0)});
  run.n = count_at(record, "n");
  run.axis.step = number_at(record, "step_time").value_or(0);
  if (const std::string unit = text_at(record, "time_unit"); !unit.empty()) run.axis.unit = unit;
  run.p = count_at(record, "p");
  run.empirical_cost = number_at(record, "empirical_cost");
  run.lqr_empirical_cost = number_at(record, "lqr_empirical_cost");
  run.population_cost = number_at(record, "population_cost");
  run.optimal_cost = number_at(record, "optimal_cost");
  run.lqr_cost = number_at(record, "lqr_cost");
  run.sensitivity = number_at(record, "sensitivity");
  run.prescient_certificate = number_at(record, "prescient_certificate");
  if (record.contains("certificate") && record["certificate"].is_object())
    run.certificate = certificate_facts(certificate_from_json(record["certificate"]));
  if (record.contains("improvement") && record["improvement"].is_object())
    run.improvement = certificate_facts(certificate_from_json(record["improvement"]));
  if (text_at(record, "compared_with") == "baseline") run.compared_with = "the baseline";
  run.baseline_form = text_at(record, "baseline");
  run.baseline_verdict = text_at(record, "baseline_verdict");
  run.baseline_cost = number_at(record, "baseline_cost");
  run.baseline_cost_error = number_at(record, "baseline_cost_standard_error");
  run.baseline_population_cost = number_at(record, "baseline_population_cost");
  if (record.contains("baseline_certificate") && record["baseline_certificate"].is_object())
    run.baseline_certificate =
        certificate_facts(certificate_from_json(record["baseline_certificate"]));
  if (record.contains("baselines") && record["baselines"].is_array())
    for (const Json& b : record["baselines"])
      if (text_at(b, "method") != "lqr")  // every run shows LQR already
        run.baselines.push_back({text_at(b, "method"), number_at(b, "empirical_cost"),
                                 number_at(b, "population_cost")});
  if (record.contains("warnings") && record["warnings"].is_array())
    for (const Json& warning : record["warnings"])
      run.warnings.push_back(warning.is_string() ? warning.get<std::string>()  // runs of 0.1
                                                 : text_at(warning, "text"));
  run.limits = limits_facts(record);
  if (run.limits) run.limits->reference = run.reference;
  run.loop.signals = signal_facts(record);
  run.signals_from = text_at(record, "signals_from");
  run.logged_cost = number_at(record, "logged_cost");
  run.logged_cost_error = number_at(record, "logged_cost_standard_error");
  run.record = record;
}

// sigma_k beside ||M_k||_F = sqrt(P_ii) and (G_hat)_kk = P_ii Sigma_hat_jj, if the posterior is in
// the problem's coordinates: its mean is then the controller's response.
void add_directions(report::RunReport& run, const RunParts& parts, const Response& response) {
  const Posterior& posterior = *parts.posterior;
  const ResponseSpace space = make_response_space(parts.problem->system, parts.problem->response);
  const CausalPattern& pattern = space.coordinates.pattern;
  if (posterior.mean.rows() != pattern.rows() || posterior.mean.cols() != pattern.cols()) return;
  const Matrix Phi_u = response_at(parts.problem->system, space.coordinates, posterior.mean).Phi_u;
  if (!((Phi_u - response.Phi_u).norm() <= 1e-6 * response.Phi_u.norm())) return;
  const Matrix ones = Matrix::Ones(pattern.rows(), pattern.cols());
  run.direction_deviation = pack(pattern, marginal_variance(posterior).cwiseSqrt());
  run.direction_size = pack(pattern, space.cost.P.diagonal().cwiseSqrt().asDiagonal() * ones);
  if (parts.data.n() == 0) return;
  const Matrix Sigma_hat = moment_matrix(sample_moments(parts.data), pattern.constant);
  run.direction_curvature = pack(pattern, curvature_diagonal(space.cost, Sigma_hat));
}

}  // namespace

void add_names(report::RunReport& run, const Problem& problem) {
  const auto add = [](const std::vector<ColumnSpec>& columns, std::vector<std::string>& names,
                      std::vector<std::string>& units) {
    for (const ColumnSpec& c : columns) {
      names.push_back(signal_text(c));
      units.push_back(c.unit.empty() ? c.name : c.unit);  // without a unit: one of its own
    }
  };
  add(problem.data.states, run.state_names, run.state_units);
  add(problem.data.inputs, run.input_names, run.input_units);
  const Sizes s = problem.sizes();
  run.start = problem.system.plant.has_state() ? s.n_x : 0;
  run.causes = s.n_y;
  if (run.axis.step == 0 && problem.step_time) {
    run.axis.step = problem.step_time->length;
    run.axis.unit = problem.step_time->unit;
  }
}

report::RunReport describe_run(const RunParts& parts) {
  report::RunReport run;
  if (!parts.record.is_object()) throw InputError("run.json: not a record of a run");
  add_record(run, parts.record);
  const auto named = parts.controller.provenance.find("problem");
  if (named != parts.controller.provenance.end()) run.problem = named->second;
  run.K = parts.controller.K;
  run.horizon = parts.controller.sizes.T;
  run.states = parts.controller.sizes.n_x;
  run.inputs = parts.controller.sizes.n_u;
  run.missing = parts.missing;
  if (parts.posterior)
    run.posterior_standard_deviation = marginal_variance(*parts.posterior).cwiseSqrt();
  run.disturbances = parts.data.w;
  if (!parts.problem) return run;
  run.problem = parts.problem->name;
  add_names(run, *parts.problem);
  const Plant& plant = parts.problem->system.plant;
  run.of_outputs = !plant.has_state() && (plant.G_x.size() == 0 || unseen_outputs(plant) > 0);
  run.states = parts.problem->sizes().n_x;
  if (parts.problem->system.cost.has_reference())
    run.tracked = parts.problem->system.cost.reference;
  run.scale_bound = parts.problem->disturbance.scale_bound;
  if (const auto& law = parts.problem->disturbance.law;
      law && law->covariance.cols() <= report::most_eigenvalues)
    run.law_eigenvalues = report::eigenvalues(law->covariance);
  const Response response = closed_loop_response(parts.problem->system, parts.controller);
  run.Phi_x = response.Phi_x;
  run.Phi_u = response.Phi_u;
  if (parts.posterior) add_directions(run, parts, response);
  add_loops(run, *parts.problem, parts.data, response);
  return run;
}

}  // namespace loopcert
