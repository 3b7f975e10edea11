// loopcert inspect: data against the assumptions of the problem file.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/failure.hpp"
#include "cli/load_data.hpp"
#include "cli/manual.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "commands/commands.hpp"
#include "core/text.hpp"
#include "delivery/describe.hpp"
#include "delivery/folder.hpp"
#include "inspection/inspection.hpp"

namespace loopcert::app {
namespace {

struct InspectOptions {
  std::string problem;
  DataOptions data;
  std::string out;
  bool json = false;
};

Table summary(const Inspection& inspection) {
  Table table;
  table.add("problem", inspection.problem);
  table.add("trajectories", std::to_string(inspection.n));
  table.add("verdicts", verdict_counts(inspection));
  for (const Check& c : inspection.checks) {
    table.add(c.name, fmt::format("{} ({}{})", verdict_name(c.verdict), c.assumption,
                                  c.p_value ? fmt::format("; p = {:.2g}", *c.p_value) : ""));
    table.add("  found", c.meaning);
    if (!c.advice.empty()) table.add("  to do", c.advice);
  }
  table.add("note", inspection_notice());
  return table;
}

void run_inspect(const InspectOptions& options) {
  if (!options.data.given())
    throw UsageError("inspect: needs data: --data, --rollouts or --sample");
  const Problem problem = read_problem(options.problem);
  at_place(options.problem, [&] { require_known_plant(problem, "inspect"); });
  const LoadedData loaded =
      load_data(options.data, problem, options.problem, sample_to_learn, /*keep_repeated=*/true);
  const Disturbances& data = loaded.data;
  const Inspection inspection = inspect(problem, data);
  nlohmann::json record = inspection_to_json(inspection);
  if (!loaded.notes.residuals.empty()) record["reconstruction"] = residuals_to_json(loaded.notes);
  Table table = summary(inspection);
  add_residuals(table, loaded);
  for (const std::string& warning : loaded.notes.warnings) warn(warning);
  if (!options.out.empty()) {
    OutputFolder folder(options.out);
    folder.add("inspection.json", record.dump(2) + "\n");
    folder.add("inspection.html",
               report::inspection_page(describe_inspection(inspection, problem, data, record)));
    folder.commit();
    table.add("written", join(folder.names()) + " in " + options.out);
  }
  if (options.json)
    print_json(record);
  else
    print(table.text());
}

Action setup_inspect(CLI::App& command) {
  auto options = std::make_shared<InspectOptions>();
  add_problem(command, options->problem);
  add_data_options(command, options->data);
  add_out_folder(command, options->out,
                 "folder for inspection.json and inspection.html, created if missing");
  add_json(command, options->json);
  set_manual(
      command,
      {.synopsis = {std::string("PROBLEM ") + data_synopsis + " [--out~DIR] [--json]"},
       .description =
           {"Tests the assumptions of the problem file on trajectories: independent trajectories, "
            "mean zero, the scale bound, the Gaussian shape, whiteness, a stated covariance, "
            "repeated rows. Every check reports what it found, a p-value, and what to do.",
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
