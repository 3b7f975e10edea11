#include "workflow/identified_run.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "certificate/bound.hpp"
#include "certificate/record_json.hpp"
#include "core/eigenvalues.hpp"
#include "core/json.hpp"
#include "data/hash.hpp"
#include "inspection/innovations.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/core/version.hpp"
#include "workflow/record_files.hpp"
#include "workflow/signal_names.hpp"

namespace loopcert {
namespace {

// The true plant over zeta, where the file states it.
EstimatedPlant stated_plant(const Problem& problem, const LinearModel& m) {
  const Plant& plant = problem.system.plant;
  const Index f = m.first();
  EstimatedPlant truth{Matrix::Zero(m.n(), m.n()), Matrix::Zero(m.n(), m.n_u)};
  if (m.constant) truth.A(0, 0) = 1;
  truth.A.block(f, f, m.n_y, m.n_y) = plant.A[0];
  truth.B.bottomRows(m.n_y) = plant.B[0];
  if (m.constant && plant.d.size() > 0) truth.A.block(f, 0, m.n_y, 1) = plant.d.col(0);
  return truth;
}

std::optional<double> cost_of(const EstimatedLoop& loop, const Gains& gains, const Matrix& U_v,
                              const Matrix& U_0) {
  return loop.T > 0 ? std::optional(nominal_cost(loop, gains, U_v, U_0))
                    : nominal_average(loop, gains.at(0), U_v);
}

void add_costs_under_truth(IdentifiedRun& run, const Problem& problem,
                           const IdentifiedPlant& plant) {
  if (!problem.model->stated || !problem.disturbance.law) return;
  const LinearModel& m = plant.model;
  const EstimatedLoop truth = loop_of(problem, m, stated_plant(problem, m));
  const Matrix& covariance = problem.disturbance.law->covariance;
  const Matrix w = covariance.block(m.n_y, m.n_y, m.n_y, m.n_y);
  const Matrix U_v = m.E.bottomRows(m.n_y).transpose() * w * m.E.bottomRows(m.n_y);
  const Matrix U_0 = start_on_state(m, covariance.topLeftCorner(m.n_y, m.n_y));
  // Nothing for a true loop that is not stable: there is no number.
  run.population_cost = cost_of(truth, run.bound.gains, U_v, U_0);
  run.optimal_cost = cost_of(truth, certainty_equivalence(truth), U_v, U_0);
}

// Of each episode as it was logged; of each step where there is no last one.
std::optional<LoggedCost> cost_of_logs(const Problem& problem, const Logs& logs) {
  const Cost& cost = problem.system.cost;
  const Sizes s = problem.sizes();
  const bool infinite = problem.model->infinite;
  std::vector<double> costs;
  double total = 0, steps = 0;
  for (const LogEpisode& log : logs) {
    double sum = 0;
    for (Index t = 0; t < log.steps(); ++t) {
      const Vector y = log.y.row(t).transpose(), u = log.u.row(t).transpose();
      sum += y.dot(cost.Q_at(infinite ? 0 : t, s.T) * y) + u.dot(cost.R_at(infinite ? 0 : t) * u);
    }
    const Vector last = log.y.row(log.steps()).transpose();
    if (!infinite) sum += last.dot(cost.P * last);
    costs.push_back(sum);
    total += sum;
    steps += static_cast<double>(log.steps());
  }
  if (!std::isfinite(total)) return std::nullopt;
  if (infinite) return LoggedCost{total / steps, 0};
  const auto n = static_cast<double>(costs.size());
  double spread = 0;
  for (const double c : costs) spread += (c - total / n) * (c - total / n);
  return LoggedCost{total / n, n > 1 ? std::sqrt(spread / (n - 1) / n) : 0};
}

void add_estimate(IdentifiedRun& run, const IdentifiedPlant& plant) {
  const LinearModel& m = plant.model;
  const Index f = m.first(), n = m.n() - f;
  run.A = plant.loop.A.bottomRightCorner(n, n);
  run.B = plant.loop.B.bottomRows(n);
  if (m.constant) run.offset = plant.loop.A.bottomLeftCorner(n, 1);
  const Matrix radii = m.E * entry_radii(plant.set) * m.Cr;
  run.A_radius = radii.block(f, f, n, n);
  run.B_radius = radii.bottomRightCorner(n, m.n_u);
  const Matrix K = run.bound.gains.front().rightCols(n);
  const Eigen::VectorXcd poles = eigenvalues_of(run.A + run.B * K);
  run.poles.assign(poles.begin(), poles.end());
}

void deploy(IdentifiedRun& run, const Problem& problem, const IdentifiedPlant& plant,
            const Logs& logs) {
  std::map<std::string, std::string> provenance = {{"loopcert", version},
                                                   {"method", run.method},
                                                   {"problem", problem.name},
                                                   {"n", std::to_string(run.n)},
                                                   {"logs_sha256", logs_hash(logs)}};
  add_signal_names(provenance, problem);
  if (problem.model->infinite) {
    run.endless = memory_controller_of(plant.model, run.bound.gains.at(0));
    run.endless->provenance = provenance;
    if (problem.limits) run.endless->input_limits = input_limits(*problem.limits, problem.sizes());
    return;
  }
  run.controller = controller_of(problem, plant.model, run.bound.gains);
  run.controller->provenance = provenance;
  if (problem.limits) run.controller->input_limits = input_limits(*problem.limits, problem.sizes());
  // Who certifies it later by other means must do so on other logs.
  const Sizes s = problem.sizes();
  Rollouts rollouts{Matrix(run.n, s.d_x()), Matrix(run.n, s.d_u())};
  for (Index i = 0; i < run.n; ++i) {
    const LogEpisode& log = logs[static_cast<size_t>(i)];
    rollouts.x.row(i) = log.y.reshaped<Eigen::RowMajor>().transpose();
    rollouts.u.row(i) = log.u.reshaped<Eigen::RowMajor>().transpose();
  }
  run.controller->recordings["logs"] = log_traces(rollouts, s);
}

void record_inputs(IdentifiedRun& run, const Problem& problem, const Logs& logs) {
  run.inputs = problem_inputs(problem);
  run.inputs["logs_sha256"] = logs_hash(logs);
  run.inputs["episodes"] = nlohmann::json::array();
  for (const LogEpisode& log : logs) run.inputs["episodes"].push_back(log.steps());
  run.inputs["identified"] = bound_to_json(run.bound);
  run.inputs["identified"]["design"] = run.design;
  run.inputs["identified"]["pilot"] = run.pilot;
  run.inputs["identified"]["transitions"] = run.transitions;
}

// Against no input at all, with a delta of its own; nothing where nothing is gained by it.
void add_improvement(IdentifiedRun& run, const Problem& problem, const Logs& logs) {
  if (problem.model->infinite || !problem.certificate.parts.empty()) return;
  try {
    const IdentifiedPlant plant = identify_plant(problem, logs, true);
    const auto found = bound_difference(plant, run.bound.gains);
    if (!found || found->value >= run.certificate.value) return;
    run.improvement = identified_certificate(problem, plant, *found);
    run.improvement_inputs = run.inputs;
    nlohmann::json numbers = bound_to_json(*found);
    for (const char* key : {"design", "pilot", "transitions"})
      numbers[key] = run.inputs["identified"][key];
    numbers["baseline"] = "no-input";
    run.improvement_inputs["identified"] = std::move(numbers);
  } catch (const NotProved&) {
    return;  // five events leave each a smaller delta
  }
}

}  // namespace

Logs read_logs_of(const Problem& problem, const Paths& paths) {
  const Sizes s = problem.sizes();
  if (problem.model.value().infinite) return read_long_logs(paths, problem.data, s.n_x, s.n_u);
  return logs_of(read_rollouts(paths, problem.data, problem.system.plant), s);
}

Logs logs_in_order(const Problem& problem, const Logs& logs) {
  const Sizes s = problem.sizes();
  check_logs(logs, s.n_x, s.n_u, problem.data.keep_repeated);
  return problem.model.value().infinite ? logs : by_starts(logs);
}

// problem > model > certificate > learning > controller.
IdentifiedRun run_identified(const Problem& problem, const Logs& given) {
  const auto start = std::chrono::steady_clock::now();
  const std::string kind = identified_kind_name(problem);
  if (problem.certificate.kind != kind && problem.certificate.kind != "best")
    throw_input_error("certificate.kind", "'" + problem.certificate.kind + "'",
                      kind + ", the one for a plant that is identified over this horizon");
  const Logs logs = logs_in_order(problem, given);
  const IdentifiedPlant plant = identify_plant(problem, logs);
  IdentifiedRun run;
  if (problem.limits) run.limited = design_under_identified_limits(problem, plant);
  IdentifiedDesign design = problem.limits ? run.limited.design : design_identified(problem, plant);
  run.method = problem.learning.method;
  run.design = design.design;
  run.n = plant.n;
  run.transitions = plant.set.transitions;
  run.pilot = plant.pilot.transitions;
  run.bound = std::move(design.bound);
  run.certificate = identified_certificate(problem, plant, run.bound);
  add_estimate(run, plant);
  deploy(run, problem, plant, logs);
  record_inputs(run, problem, logs);
  add_improvement(run, problem, logs);
  const LoggedCovariances logged = logged_covariances(plant);
  run.empirical_cost = cost_of(plant.loop, run.bound.gains, logged.U_v, logged.U_0).value();
  add_signals(run, plant);
  run.logged_cost = cost_of_logs(problem, logs);
  run.step_time = problem.step_time;
  add_costs_under_truth(run, problem, plant);
  run.warnings =
      warnings_of(test_innovations(plant.model, logs, plant.set.Theta_hat,
                                   fmt::format("lags = {}", plant.model.lags), quick_inspection)
                      .checks);
  constexpr double much = 3;  // times what the estimate costs
  if (run.bound.value > much * run.bound.nominal)
    run.warnings.push_back(
        {"uncertain-plant",
         "most of the certificate is the error of the estimate: the direction " +
             least_excited_text(problem, plant) +
             " of state and input was excited least; more logs, or inputs that vary more, help"});
  if (problem.limits) add_limits(run, problem, plant);
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return run;
}

nlohmann::json identified_run_to_json(const IdentifiedRun& run) {
  const auto number = [](const std::optional<double>& value) {
    return value ? nlohmann::json(*value) : nlohmann::json();
  };
  nlohmann::json poles = nlohmann::json::array();
  for (const std::complex<double>& pole : run.poles) poles.push_back({pole.real(), pole.imag()});
  nlohmann::json estimate = {{"A", rows_json(run.A)},
                             {"B", rows_json(run.B)},
                             {"A_radius", rows_json(run.A_radius)},
                             {"B_radius", rows_json(run.B_radius)},
                             {"poles", poles}};
  if (run.offset.size() > 0)
    estimate["offset"] = std::vector<double>(run.offset.begin(), run.offset.end());
  nlohmann::json record = {
      {"status", "done"},
      {"method", run.method},
      {"n", run.n},
      {"transitions", run.transitions},
      {"pilot", run.pilot},
      {"certificate", certificate_to_json(run.certificate, run.inputs)},
      {"improvement", run.improvement
                          ? certificate_to_json(*run.improvement, run.improvement_inputs)
                          : nlohmann::json()},
      {"empirical_cost", run.empirical_cost},
      {"population_cost", number(run.population_cost)},
      {"optimal_cost", number(run.optimal_cost)},
      {"baselines", nlohmann::json::array()},
      {"estimate", estimate},
      {"details", {{"deployed", run.design}, {"bound", run.bound.bound}}},
      {"seconds", run.seconds}};
  add_limits(record, std::nullopt, run.signals, nullptr);
  add_step_time(record, run.step_time);
  record["limits"] = run.limits_summary;
  add_looks(record, run.warnings, run.logged_cost);
  if (run.endless) record["logged_cost_standard_error"] = nullptr;  // steps depend on each other
  return record;
}

}  // namespace loopcert
