#include "learn_state.hpp"
#include "certificate/record_json.hpp"
#include "core/json_fields.hpp"
#include "limits_state.hpp"

namespace loopcert::python {
namespace {

std::optional<Certificate> certificate(const nlohmann::json& record, const char* key) {
  if (record.at(key).is_null()) return std::nullopt;
  return certificate_from_json(record.at(key));
}

// (), or what was deployed.
py::tuple deployment_state(const LearnRun& run) {
  if (!run.deployment) return py::tuple();
  const Deployment& d = *run.deployment;
  return py::make_tuple(use_of_data_name(d.use_of_data), d.responses, d.colour, d.gated, d.path,
                        d.path_passed, d.candidates);
}

std::optional<Deployment> deployment_from(const py::tuple& state) {
  if (state.empty()) return std::nullopt;
  return Deployment{use_of_data_from_name(state[0].cast<std::string>(), "run"),
                    state[1].cast<std::vector<Response>>(),
                    state[2].cast<std::optional<double>>(),
                    state[6].cast<Index>(),
                    state[3].cast<bool>(),
                    state[4].cast<std::vector<Response>>(),
                    state[5].cast<bool>()};
}

}  // namespace

py::tuple learn_run_state(const LearnRun& run) {
  return py::make_tuple(to_python(learn_run_to_json(run)), run.controller, run.response,
                        run.posterior, run.prior_center, run.prior, deployment_state(run),
                        limits_state(run.limits), signals_state(run.signals),
                        run.baseline ? run.baseline->file : std::string());
}

LearnRun learn_run_from_state(const py::tuple& state) {
  const nlohmann::json record = from_python(state[0], "run");
  LearnRun run;
  run.method = record.at("method").get<std::string>();
  run.n = record.at("n").get<Index>();
  run.p = record.at("p").get<Index>();
  run.controller = state[1].cast<Controller>();
  run.response = state[2].cast<Response>();
  run.empirical_cost = optional_number(record, "empirical_cost");
  run.lqr_empirical_cost = optional_number(record, "lqr_empirical_cost");
  run.population_cost = optional_number(record, "population_cost");
  run.sensitivity = optional_number(record, "sensitivity");
  run.optimal_cost = optional_number(record, "optimal_cost");
  run.lqr_cost = optional_number(record, "lqr_cost");
  run.certificate = certificate(record, "certificate");
  if (run.certificate) run.inputs = record_from_json(record.at("certificate")).inputs;
  run.posterior = state[3].cast<std::optional<Posterior>>();
  run.prior_center = state[4].cast<Matrix>();
  run.prior = state[5].cast<std::optional<Prior>>();
  run.deployment = deployment_from(state[6].cast<py::tuple>());
  run.limits = limits_from_state(state[7].cast<py::tuple>());
  run.signals = signals_from_state(state[8].cast<py::tuple>());
  run.improvement = certificate(record, "improvement");
  run.compared_with = record.value("compared_with", "lqr");
  run.baseline = baseline_of(record);
  if (run.baseline) run.baseline->file = state[9].cast<std::string>();
  if (record.contains("steady_state")) {
    const auto vector = [&](const char* key) {
      const auto list = record["steady_state"].at(key).get<std::vector<double>>();
      return Vector(Eigen::Map<const Vector>(list.data(), static_cast<Index>(list.size())));
    };
    run.steady_state = SteadyState{vector("input"), vector("residual")};
  }
  run.prescient_certificate = optional_number(record, "prescient_certificate");
  for (const nlohmann::json& b : record.at("baselines"))
    run.baselines.push_back(
        {b.at("method").get<std::string>(), optional_number(b, "empirical_cost"),
         optional_number(b, "population_cost"), optional_number(b, "sensitivity")});
  run.details = record.at("details");
  run.warnings = warnings_from_json(record.at("warnings"));
  if (const auto cost = optional_number(record, "logged_cost"))
    run.logged_cost = {*cost, optional_number(record, "logged_cost_standard_error").value_or(0)};
  run.stopped_early = record.at("status") == "stopped-early";
  run.seconds = record.at("seconds").get<double>();
  return run;
}

}  // namespace loopcert::python
