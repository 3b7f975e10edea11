// loopcert certify: any controller, on data that nobody used to make it.
#include <memory>

#include "certificate_output.hpp"
#include "commands.hpp"
#include "failure.hpp"
#include "loopcert/controller/controller_file.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/core/file.hpp"
#include "loopcert/core/sha256.hpp"
#include "loopcert/experiment/certificate_files.hpp"
#include "options.hpp"
#include "output.hpp"

namespace loopcert::app {
namespace {

struct CertifyOptions {
  std::string problem;
  std::string controller;
  DataOptions data;
  std::string certificate = "hold-out-scale-free";
  std::string out;
  bool json = false;
};

void check_sizes(const CertifyOptions& options, const Controller& controller,
                 const Problem& problem) {
  const Sizes found = controller.sizes, expected = problem.sizes();
  const auto text = [](const Sizes& s) {
    return "horizon " + std::to_string(s.T) + ", n_x " + std::to_string(s.n_x) + ", n_u " +
           std::to_string(s.n_u);
  };
  if (text(found) != text(expected))
    throw_input_error(options.controller, text(found), text(expected) + " as in the problem");
}

void run_certify(const CertifyOptions& options) {
  if (!options.data.given())
    throw UsageError("certify: found no data, expected --data, --rollouts or --sample");
  const FixedKind* kind = nullptr;
  try {
    kind = &fixed_kind(options.certificate);
  } catch (const InputError& error) {
    throw UsageError("--certificate: " + std::string(error.what()));
  }
  Problem problem = read_problem(options.problem);
  const Controller controller = read_controller(options.controller);
  check_sizes(options, controller, problem);
  const Disturbances data = load_data(options.data, problem, options.problem, sample_to_simulate);
  check_disturbances(data, problem.sizes());
  const auto used = controller.provenance.find("data_sha256");
  if (used != controller.provenance.end() && used->second == data_hash(data))
    throw_input_error("data",
                      "the very trajectories that " + options.controller + " was learned from",
                      "fresh ones");

  problem.certificate.kind = kind->name;
  const Response response = closed_loop_response(problem.system, controller);
  // A problem file that names its deltas does so for another certificate: their sum is kept.
  if (!problem.certificate.parts.empty()) {
    double total = 0;
    for (const auto& [name, delta] : problem.certificate.parts) total += delta;
    problem.certificate.parts.clear();
    problem.certificate.delta = total;
  }
  Certificate certificate = kind->evaluate({problem.system, response, assumptions_of(problem),
                                            evidence_of(data), deltas_of(problem, kind->events)});
  certificate.inputs = certificate_inputs(problem, data);
  const std::string bytes = controller_to_json(controller).dump(1) + "\n";
  certificate.inputs["controller"] = "controller.json";
  certificate.inputs["controller_sha256"] = sha256_hex(bytes);

  Table table;
  table.add("problem", problem.name);
  table.add("trajectories", std::to_string(data.n()));
  add_certificate(table, certificate);
  const nlohmann::json record = certificate_to_json(certificate);
  if (!options.out.empty()) {
    OutputFolder folder(options.out);
    folder.add("certificate.json", record.dump(2) + "\n");
    folder.add("controller.json", bytes);
    folder.commit();
    table.add("written", "certificate.json, controller.json in " + options.out);
  }
  if (options.json)
    print_json(record);
  else
    print(table.text());
}

}  // namespace

Action setup_certify(CLI::App& command) {
  auto options = std::make_shared<CertifyOptions>();
  add_path(command, "PROBLEM", options->problem, "problem file (.toml or .json)")
      ->required()
      ->type_name("");
  add_path(command, "--controller", options->controller, "controller file")
      ->required()
      ->type_name("FILE");
  add_data_options(command, options->data);
  command
      .add_option("--certificate", options->certificate,
                  fixed_certificate_list() + " (default: " + options->certificate + ")")
      ->type_name("KIND");
  add_path(command, "--out", options->out, "folder for certificate.json, made if missing")
      ->type_name("DIR");
  command.add_flag("--json", options->json, "print the certificate record and nothing else");
  command.footer(
      "The controller must have been fixed before the data were seen: a file that says it was\n"
      "learned from these very trajectories is refused. --sample draws other trajectories than\n"
      "`learn --sample` with the same seed.");
  return [options] { run_certify(*options); };
}

}  // namespace loopcert::app
