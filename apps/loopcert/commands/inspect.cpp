// loopcert inspect: data against the assumptions of the problem file.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/check_output.hpp"
#include "cli/failure.hpp"
#include "cli/load_data.hpp"
#include "cli/manual.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "commands/commands.hpp"
#include "core/text.hpp"
#include "delivery/describe.hpp"
#include "delivery/folder.hpp"
#include "inspection/inspection.hpp"
#include "loopcert/core/error.hpp"
#include "workflow/identified_run.hpp"
#include "workflow/identify_run.hpp"

namespace loopcert::app {
namespace {

struct InspectOptions {
  std::string problem;
  DataOptions data;
  std::string out;
  bool json = false, verbose = false;
};

Table summary(const Inspection& inspection, const char* counted) {
  Table table;
  table.add("problem", inspection.problem);
  table.add(counted, std::to_string(inspection.n));
  table.add("verdicts", verdict_counts(inspection.checks));
  add_checks(table, inspection.checks);
  table.add("note", inspection_notice());
  return table;
}

void deliver(const InspectOptions& options, Table& table, const nlohmann::json& record,
             const report::InspectionReport& page) {
  if (!options.out.empty()) {
    OutputFolder folder(options.out);
    folder.add("inspection.json", record.dump(2) + "\n");
    folder.add("inspection.html", report::inspection_page(page));
    folder.commit();
    table.add("written", join(folder.names()) + " in " + options.out);
  }
  if (options.json)
    print_json(record);
  else
    print(table.text(options.verbose));
}

// A plant that is not known: what its model leaves over of the logs.
void inspect_identified(const InspectOptions& options, const Problem& problem) {
  if (options.data.rollouts.empty())
    throw UsageError(
        "inspect: needs --rollouts: a plant is identified from logged states and inputs");
  const Logs logs =
      read_logs_of(problem, {options.data.rollouts.begin(), options.data.rollouts.end()});
  const Identification found = at_place(options.problem, [&] {
    Progress progress(options.json, "inspect");
    const WatchWork watched(&progress);
    return identify(problem, logs);
  });
  const Inspection inspection = inspection_of(found);
  const nlohmann::json record = inspection_to_json(inspection);
  Table table = summary(inspection, found.infinite ? "logs" : "episodes");
  deliver(options, table, record, describe_innovations(inspection, found.innovations, record));
}

void run_inspect(const InspectOptions& options) {
  const Problem problem = read_problem(options.problem);
  if (problem.identifies()) return inspect_identified(options, problem);
  if (!options.data.given())
    throw UsageError("inspect: needs data: --data, --rollouts or --sample");
  const LoadedData loaded =
      load_data(options.data, problem, options.problem, sample_to_learn, /*keep_repeated=*/true);
  const Inspection inspection = [&] {
    Progress progress(options.json, "inspect");
    const WatchWork watched(&progress);
    return inspect(problem, loaded.data);
  }();
  nlohmann::json record = inspection_to_json(inspection);
  if (!loaded.notes.residuals.empty()) record["reconstruction"] = residuals_to_json(loaded.notes);
  Table table = summary(inspection, "trajectories");
  add_residuals(table, loaded);
  for (const std::string& warning : loaded.notes.warnings) warn(warning);
  deliver(options, table, record, describe_inspection(inspection, problem, loaded.data, record));
}

Action setup_inspect(CLI::App& command) {
  auto options = std::make_shared<InspectOptions>();
  add_problem(command, options->problem);
  add_data_options(command, options->data);
  add_out_folder(command, options->out,
                 "folder for inspection.json and inspection.html, created if missing");
  add_json(command, options->json);
  add_verbose(command, options->verbose);
  set_manual(
      command,
      {.synopsis = {std::string("PROBLEM ") + data_synopsis + " [--out~DIR] [--json] [--verbose]"},
       .description =
           {"Tests the assumptions of the problem file on trajectories: independent trajectories, "
            "mean zero, the scale bound, the Gaussian shape, whiteness, a stated covariance, "
            "repeated rows. Every check reports what it found, a p-value, and what to do.",
            "Of a plant that is identified (system.identify) it tests what the model leaves over "
            "of "
            "logs (--rollouts): white innovations, enough lags, one plant in all logs, Gaussian "
            "noise.",
            "A diagnostic, not a certificate: data can contradict an assumption, never prove it. "
            "The exit status is 0 whatever is found. --sample draws the trajectories of "
            "`learn --sample`."},
       .files = {{"DIR/inspection.json", "every check with its numbers"},
                 {"DIR/inspection.html", "the same as a page with plots"}},
       .statuses = {{"0", "done, whatever was found"}},
       .examples =
           {{"loopcert sample examples/double-integrator-coloured/problem.toml -n 100 "
             "--out data.csv",
             "Coloured disturbances with a problem that states white ones:"},
            {"loopcert inspect examples/double-integrator/problem.toml --data data.csv", ""},
            {"loopcert inspect examples/scalar-affine/problem.toml --sample 200 --out inspection",
             "A page for data that agree with the assumptions:"}},
       .see_also = {"learn", "plan", "docs/inspect.md"}});
  return [options] { run_inspect(*options); };
}

}  // namespace

Command inspect_command() {
  return {"inspect", "test the assumptions of a problem on data", setup_inspect};
}

}  // namespace loopcert::app
