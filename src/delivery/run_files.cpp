#include "delivery/run_files.hpp"

#include "certificate/record_arrays.hpp"
#include "certificate/record_json.hpp"
#include "controller/controller_trees.hpp"
#include "delivery/describe.hpp"
#include "delivery/describe_parts.hpp"
#include "loopcert/controller/controller_file.hpp"

namespace loopcert {
namespace {

std::string record_text(const std::optional<Certificate>& certificate, const LearnRun& run) {
  return certificate ? certificate_to_json(*certificate, run.inputs).dump(2) + "\n" : "";
}

// The file, or nothing of that name.
void add_or_remove(OutputFolder& folder, const std::string& name, std::string content) {
  if (content.empty())
    folder.remove_stale(name);
  else
    folder.add(name, std::move(content));
}

}  // namespace

void add_learn_files(OutputFolder& folder, const Problem& problem, const Disturbances& data,
                     const LearnRun& run, const nlohmann::json& record) {
  folder.add("controller.json", controller_to_json(run.controller).dump(1) + "\n");
  folder.add("run.json", record.dump(2) + "\n");
  add_or_remove(folder, "certificate.json", record_text(run.certificate, run));
  add_or_remove(folder, "posterior.npz",
                run.posterior ? format_posterior(*run.posterior, run.prior_center) : "");
  add_or_remove(folder, "responses.npz", run.deployment ? format_responses(*run.deployment) : "");
  add_or_remove(folder, "improvement.json", record_text(run.improvement, run));
  const bool compared = run.baseline && run.baseline->certificate;
  add_or_remove(folder, "baseline.json", run.baseline ? run.baseline->file : "");
  add_or_remove(
      folder, "baseline-certificate.json",
      compared
          ? certificate_to_json(*run.baseline->certificate, run.baseline->inputs).dump(2) + "\n"
          : "");
  const bool limited = run.limits && run.limits->bound;
  add_or_remove(folder, "limits.json",
                limited ? record_text(run.limits->bound->certificate, run) : "");
  folder.add(
      "report.html",
      report::run_page(describe_run({record, run.controller, problem, run.posterior, data, ""})));
}

namespace {

// What a page can show: the loop of the estimate on what it leaves over of the logs, or the first
// steps of a controller that has no last one.
RunParts parts_of(const Problem& problem, const Logs& logs, const IdentifiedRun& run,
                  const nlohmann::json& record) {
  RunParts parts;
  parts.record = record;
  if (run.endless) {
    parts.controller = first_steps(*run.endless, shown_steps);
    return parts;
  }
  parts.controller = *run.controller;
  parts.problem = problem;
  parts.problem->model.reset();
  parts.problem->disturbance.law.reset();
  Plant& plant = parts.problem->system.plant;
  plant.A = {run.A};
  plant.B = {run.B};
  plant.d = Matrix();
  if (run.offset.size() > 0) plant.d = run.offset.replicate(1, plant.T);
  const Sizes s = problem.sizes();
  Rollouts rollouts{Matrix(run.n, s.d_x()), Matrix(run.n, s.d_u())};
  for (Index i = 0; i < run.n; ++i) {
    rollouts.x.row(i) = logs[static_cast<size_t>(i)].y.reshaped<Eigen::RowMajor>().transpose();
    rollouts.u.row(i) = logs[static_cast<size_t>(i)].u.reshaped<Eigen::RowMajor>().transpose();
  }
  parts.data = reconstruct_disturbances(plant, rollouts);
  return parts;
}

}  // namespace

report::RunReport describe_identified(const Problem& problem, const Logs& logs,
                                      const IdentifiedRun& run, const nlohmann::json& record) {
  report::RunReport page = describe_run(parts_of(problem, logs, run, record));
  if (run.endless) add_endless_loops(page, problem, logs_in_order(problem, logs), run);
  return page;
}

void add_identified_files(OutputFolder& folder, const Problem& problem, const Logs& logs,
                          const IdentifiedRun& run, const nlohmann::json& record) {
  const nlohmann::json controller =
      run.endless ? memory_controller_to_json(*run.endless) : controller_to_json(*run.controller);
  folder.add("controller.json", controller.dump(1) + "\n");
  folder.add("run.json", record.dump(2) + "\n");
  folder.add("certificate.json", certificate_to_json(run.certificate, run.inputs).dump(2) + "\n");
  for (const char* stale : {"posterior.npz", "responses.npz"}) folder.remove_stale(stale);
  if (run.improvement)
    folder.add("improvement.json",
               certificate_to_json(*run.improvement, run.improvement_inputs).dump(2) + "\n");
  else
    folder.remove_stale("improvement.json");
  add_or_remove(
      folder, "limits.json",
      run.limits ? certificate_to_json(*run.limits, run.limits_inputs).dump(2) + "\n" : "");
  folder.add("report.html", report::run_page(describe_identified(problem, logs, run, record)));
}

void add_certify_files(OutputFolder& folder, const nlohmann::json& record, const CertifyRun& run) {
  const bool limited = run.limits && run.limits->bound;
  add_or_remove(folder, "limits.json",
                limited
                    ? certificate_to_json(run.limits->bound->certificate, run.inputs).dump(2) + "\n"
                    : "");
  nlohmann::json certificate = record;  // what is beside it has files of its own, or none
  for (const char* key : {"limits", "signals", "signals_from"}) certificate.erase(key);
  folder.add("certificate.json", certificate.dump(2) + "\n");
  folder.add("controller.json", run.controller_file);
  add_or_remove(folder, "baseline.json", run.baseline_file);
  folder.add("report.html",
             report::run_page(describe_certified(run.problem, run.controller, run.data, record)));
}

}  // namespace loopcert
