// loopcert import: logs to trajectories, with a look at how well the model explains them.
#include <memory>

#include "cli/failure.hpp"
#include "cli/load_data.hpp"
#include "cli/manual.hpp"
#include "cli/output.hpp"
#include "commands/commands.hpp"
#include "data/moments.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/data/trajectory_files.hpp"

namespace loopcert::app {
namespace {

struct ImportOptions {
  std::string problem;
  DataOptions data;
  std::string out;
  bool json = false;
};

void run_import(const ImportOptions& options) {
  if (!options.data.given()) throw UsageError("import: needs data: --data or --rollouts");
  check_array_extension("--out", options.out);
  const Problem problem = read_problem(options.problem);
  at_place(options.problem, [&] { require_stated_plant(problem, "import"); });
  const LoadedData loaded = load_data(options.data, problem, options.problem, sample_to_learn);
  sample_moments(loaded.data);  // what is too large to learn from is not written either
  write_disturbances(options.out, loaded.data, problem.sizes(), problem.data);
  for (const std::string& warning : loaded.notes.warnings) warn(warning);
  if (options.json) {
    print_json({{"status", "done"},
                {"n", loaded.data.n()},
                {"columns", loaded.data.w.cols()},
                {"reconstruction", residuals_to_json(loaded.notes)},
                {"warnings", loaded.notes.warnings}});
    return;
  }
  Table table;
  table.add("problem", problem.name);
  table.add("trajectories", std::to_string(loaded.data.n()));
  add_residuals(table, loaded);
  table.add("written", options.out);
  print(table.text());
}

Action setup_import(CLI::App& command) {
  auto options = std::make_shared<ImportOptions>();
  add_problem(command, options->problem);
  add_file_options(command, options->data);
  add_path(command, "--out", options->out, "trajectory file to write (" + written_list() + ")")
      ->required();
  add_json(command, options->json);
  set_manual(
      command,
      {.synopsis = {"PROBLEM (--data~FILE... | --rollouts~FILE...) --out~FILE [--json]"},
       .description = {"Reads the files that learn, certify and simulate read, as the problem file "
                       "describes them, and writes the disturbance trajectories, one per row. For "
                       "logged episodes the disturbances are the residuals of the model, and the "
                       "command reports their size for each state.",
                       "Other commands read the logs themselves: import shows the disturbances "
                       "that they use, and writes them to one file."},
       .files = {{"--out FILE", "trajectories: " + written_list()}},
       .examples =
           {{"loopcert learn examples/double-integrator/problem.toml --method lqr --out lqr",
             "Simulated episodes in place of a log:"},
            {"loopcert simulate examples/double-integrator/problem.toml "
             "--controller lqr/controller.json --sample 20 --paths log.csv",
             ""},
            {"loopcert import examples/double-integrator/problem.toml --rollouts log.csv "
             "--out data.csv",
             ""}},
       .see_also = {"inspect", "learn", "docs/problem-file.md"}});
  return [options] { run_import(*options); };
}

}  // namespace

Command import_command() {
  return {"import", "read logs, reconstruct the disturbances, write them", setup_import};
}

}  // namespace loopcert::app
