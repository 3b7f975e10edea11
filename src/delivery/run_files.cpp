#include "delivery/run_files.hpp"

#include "certificate/record_arrays.hpp"
#include "certificate/record_json.hpp"
#include "controller/controller_trees.hpp"
#include "delivery/describe.hpp"
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
  folder.add(
      "report.html",
      report::run_page(describe_run({record, run.controller, problem, run.posterior, data, ""})));
}

void add_certify_files(OutputFolder& folder, const nlohmann::json& record, const CertifyRun& run) {
  folder.add("certificate.json", record.dump(2) + "\n");
  folder.add("controller.json", run.controller_file);
  add_or_remove(folder, "baseline.json", run.baseline_file);
}

}  // namespace loopcert
