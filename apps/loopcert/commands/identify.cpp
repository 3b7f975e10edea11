// loopcert identify: logs to a model, how sure it is, and what speaks against it.
#include <memory>

#include "cli/failure.hpp"
#include "cli/identification_output.hpp"
#include "cli/load_data.hpp"
#include "cli/manual.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/warning_output.hpp"
#include "commands/commands.hpp"
#include "core/text.hpp"
#include "delivery/describe.hpp"
#include "delivery/folder.hpp"
#include "loopcert/core/error.hpp"
#include "workflow/identified_run.hpp"
#include "workflow/identify_run.hpp"

namespace loopcert::app {
namespace {

struct IdentifyOptions {
  std::string problem;
  DataOptions data;
  std::string out;
  bool json = false, verbose = false;
};

Identification identify_from(const IdentifyOptions& options, const Problem& problem) {
  if (!problem.identifies()) {
    if (!options.data.given())
      throw UsageError("identify: needs data: --data, --rollouts or --sample");
    const LoadedData loaded = load_data(options.data, problem, options.problem, sample_to_learn);
    return at_place(options.problem, [&] { return identify_colour(problem, loaded.data); });
  }
  if (options.data.rollouts.empty())
    throw UsageError(
        "identify: needs --rollouts: a plant is identified from logged states and inputs");
  const Logs logs =
      read_logs_of(problem, {options.data.rollouts.begin(), options.data.rollouts.end()});
  return at_place(options.problem, [&] { return identify(problem, logs); });
}

void run_identify(const IdentifyOptions& options) {
  const Problem problem = read_problem(options.problem);
  const Identification found = [&] {
    Progress progress(options.json, "identify");
    const WatchWork watched(&progress);
    return identify_from(options, problem);
  }();
  const nlohmann::json record = identification_to_json(found);
  Table table = identification_summary(problem, found);
  if (!options.out.empty()) {
    OutputFolder folder(options.out);
    folder.add("identification.json", record.dump(2) + "\n");
    folder.add("identification.html",
               report::identification_page(describe_identification(found, problem, record)));
    folder.commit();
    table.add("written", join(folder.names()) + " in " + options.out);
  }
  print_warnings(found.warnings, !options.json);
  if (options.json)
    print_json(record);
  else
    print(table.text(options.verbose));
}

Action setup_identify(CLI::App& command) {
  auto options = std::make_shared<IdentifyOptions>();
  add_problem(command, options->problem);
  add_data_options(command, options->data);
  add_out_folder(command, options->out,
                 "folder for identification.json and identification.html, created if missing");
  add_json(command, options->json);
  add_verbose(command, options->verbose);
  set_manual(
      command,
      {.synopsis = {"PROBLEM --rollouts~FILE... [--out~DIR] [--json] [--verbose]",
                    std::string("PROBLEM ") + data_synopsis + " [--out~DIR] [--json] [--verbose]"},
       .description =
           {"Estimates what the problem file does not know: the plant (system.identify), or the "
            "colour of the disturbance of a plant that is known (disturbance.autoregressive). "
            "Prints the estimate with an interval for each coefficient, a bound on the noise, the "
            "poles with how far plants of the set move them, tests of the model, and what more "
            "logs would bring.",
            "All intervals hold together, with the confidence that is printed, if the innovations "
            "are Gaussian and independent of everything before and the model is the same in all "
            "logs. The logged inputs may come from any controller. `loopcert learn` uses the same "
            "set."},
       .files = {{"DIR/identification.json", "every number"},
                 {"DIR/identification.html",
                  "the same as a page: predictions against logs, correlations of the innovations, "
                  "poles"}},
       .statuses = {{"0", "done, whatever the tests found"},
                    {"2",
                     "bad input, or logs that cannot say anything: which direction was never "
                     "excited, or how many transitions would be enough"}},
       .examples = {{"loopcert identify examples/assumptions/unknown-colour.toml --sample 50 "
                     "--seed 1 --out colour",
                     "The colour of a disturbance, from trajectories of the stated law:"}},
       .see_also = {"inspect", "learn", "docs/identify.md"}});
  return [options] { run_identify(*options); };
}

}  // namespace

Command identify_command() {
  return {"identify", "estimate a plant or a colour from logs", setup_identify};
}

}  // namespace loopcert::app
