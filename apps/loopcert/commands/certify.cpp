// loopcert certify: any controller, on data that nobody used to make it.
#include <memory>
#include <optional>

#include "certificate/fixed_response.hpp"
#include "cli/certificate_output.hpp"
#include "cli/failure.hpp"
#include "cli/limits_output.hpp"
#include "cli/load_data.hpp"
#include "cli/manual.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/warning_output.hpp"
#include "commands/commands.hpp"
#include "core/text.hpp"
#include "delivery/run_files.hpp"
#include "loopcert/controller/controller_file.hpp"
#include "loopcert/core/error.hpp"
#include "workflow/certify_run.hpp"

namespace loopcert::app {
namespace {

struct CertifyOptions {
  std::string problem;
  std::string controller;
  DataOptions data;
  std::string certificate = "hold-out-scale-free";
  std::string baseline;
  std::string out;
  bool json = false, verbose = false;
};

// Options that contradict each other, before anything is read.
void check_options(const CertifyOptions& options) {
  if (options.certificate == "best") {
    if (!options.baseline.empty())
      throw UsageError("--baseline: certificate 'best' uses no baseline");
    return;
  }
  const FixedResponseKind* kind = nullptr;
  try {
    kind = &fixed_response_kind(options.certificate);
  } catch (const InputError&) {
    throw UsageError("--certificate: found '" + options.certificate + "', expected " +
                     fixed_certificate_list() +
                     did_you_mean(options.certificate, fixed_certificate_names()));
  }
  if (!options.data.given() && !kind->events.empty())
    throw UsageError("certify: needs data: --data, --rollouts or --sample");
  if (!options.baseline.empty() && !kind->compares)
    throw UsageError("--baseline: certificate '" + kind->name + "' uses no baseline");
}

void write_files(const CertifyOptions& options, const nlohmann::json& record, const CertifyRun& run,
                 Table& table) {
  OutputFolder folder(options.out);
  add_certify_files(folder, record, run);
  folder.commit();
  table.add("written", join(folder.names()) + " in " + options.out);
}

void run_certify(const CertifyOptions& options) {
  check_options(options);
  const Problem problem = read_problem(options.problem);
  at_place(options.problem, [&] { require_known_plant(problem, "certify"); });
  const LoadedData loaded = load_data(options.data, problem, options.problem, sample_to_simulate);
  if (options.data.given()) check_disturbances(loaded.data, problem.sizes());
  const auto named = [](const std::string& path) {
    return NamedController{read_controller(path), path};
  };
  std::optional<NamedController> baseline;
  const NamedController controller = named(options.controller);
  if (options.baseline == "lqr")
    baseline = NamedController{{}, "lqr"};
  else if (!options.baseline.empty())
    baseline = named(options.baseline);
  CertifyRun run = [&] {
    Progress progress(options.json, "certify");
    const WatchWork watched(&progress);
    return run_certify(problem, controller, loaded.data, options.certificate, baseline);
  }();
  add_notes(run.warnings, loaded.notes);

  Table table;
  add_certificate(table, run.certificate);
  add_warnings(table, run.warnings);
  add_limits(table, run.limits, &run.certificate,
             problem.system.plant.has_state() ? "LQR" : "the open loop");
  table.add("problem", problem.name);
  table.add("trajectories", std::to_string(loaded.data.n()));
  add_logged_cost(table, run.logged_cost);
  add_signals(table, run.signals, problem);
  add_certificate_details(table, run.certificate);
  const nlohmann::json record = certify_run_to_json(run);
  if (!options.out.empty()) write_files(options, record, run, table);
  print_warnings(run.warnings, !options.json);
  if (options.json)
    print_json(record);
  else
    print(table.text(options.verbose));
}

Action setup_certify(CLI::App& command) {
  auto options = std::make_shared<CertifyOptions>();
  add_problem(command, options->problem);
  add_path(command, "--controller", options->controller, "controller file")->required();
  add_data_options(command, options->data);
  command
      .add_option("--certificate", options->certificate,
                  fixed_certificate_list() + " (default: " + options->certificate + ")")
      ->type_name("KIND");
  add_path(command, "--baseline", options->baseline,
           "controller to compare with in kinds improvement*: a file, or lqr (default: the "
           "problem's baseline, else lqr)")
      ->type_name("FILE|lqr");
  add_out_folder(command, options->out,
                 "folder for certificate.json and report.html, created if missing");
  add_json(command, options->json, "print the certificate record and nothing else");
  add_verbose(command, options->verbose);
  set_manual(
      command,
      {.synopsis =
           {std::string("PROBLEM --controller~FILE ") + data_synopsis +
                " [--certificate~KIND] [--baseline~FILE|lqr] [--out~DIR] [--json] [--verbose]",
            "PROBLEM --controller~FILE "
            "--certificate~assumed-scale|assumed-covariance [OPTION...]"},
       .description =
           {"Certifies the expected cost of an existing controller, or with the kinds improvement* "
            "its cost minus that of a baseline, on trajectories that were not used to make it. "
            "Kinds assumed-scale and assumed-covariance use the problem's assumptions alone and "
            "need no trajectories.",
            "The controller must have been fixed before the data were seen: data that contain one "
            "of its training trajectories are refused, even if it was rounded, cut or extended. "
            "--sample draws other trajectories than `learn --sample` with the same seed.",
            "The total of the problem's deltas is shared by the events of the kind."},
       .files = {{"DIR/certificate.json", "the certificate, for `loopcert recheck`"},
                 {"DIR/limits.json", "with [limits]: how surely the controller keeps them"},
                 {"DIR/controller.json", "a copy of the controller"},
                 {"DIR/report.html", "a page: the loop, its cost, what is certified"},
                 {"DIR/baseline.json", "a copy of the baseline, when --baseline names a file"}},
       .examples =
           {{"loopcert learn examples/double-integrator/problem.toml --method lqr --out lqr",
             "A controller, and a certificate on 40 fresh trajectories:"},
            {"loopcert certify examples/double-integrator/problem.toml "
             "--controller lqr/controller.json --sample 40 --certificate hold-out",
             ""},
            {"loopcert learn examples/double-integrator-coloured/problem.toml --sample 200 "
             "--method ridge --gamma cv --out ridge",
             "How much better than LQR is a learned one?"},
            {"loopcert certify examples/double-integrator-coloured/problem.toml "
             "--controller ridge/controller.json --sample 200 --certificate improvement "
             "--baseline lqr --out certified",
             ""}},
       .see_also = {"learn", "recheck", "docs/certificates.md"},
       .choices = {{"--certificate", fixed_certificate_list()}, {"--baseline", "lqr"}}});
  return [options] { run_certify(*options); };
}

}  // namespace

Command certify_command() {
  return {"certify", "certify a given controller on fresh data", setup_certify};
}

}  // namespace loopcert::app
