// loopcert reproduce: the paper's tables, beside the paper's numbers.
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/failure.hpp"
#include "cli/interrupt.hpp"
#include "cli/manual.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "commands/commands.hpp"
#include "core/file.hpp"
#include "core/parallel.hpp"
#include "core/visible.hpp"
#include "delivery/describe.hpp"
#include "sweeps/reproduction.hpp"
#include "sweeps/sweep_run.hpp"

namespace loopcert::app {
namespace {

constexpr std::uintmax_t largest_results = std::uintmax_t{1} << 30;

struct ReproduceOptions {
  std::optional<Index> seeds;
  std::string out = "reproduce";
  std::optional<Index> jobs;
  bool json = false;
};

void run_reproduce(const ReproduceOptions& options) {
  const Index seeds = options.seeds.value_or(20);
  const SweepJobs jobs = list_jobs(paper_sweep(seeds));
  SweepRunOptions run;
  run.folder = options.out;
  run.threads = options.jobs ? static_cast<int>(*options.jobs) : default_threads();
  run.resume = true;  // what is there already is the same computation
  SweepOutcome outcome;
  {
    const InterruptGuard guard;
    Progress bar(options.json, "reproduce");
    run.interrupted = interrupted;
    run.progress = [&](Index done, Index total, Index computed) {
      bar.show("reproduce", done, total, computed);
    };
    outcome = run_sweep(jobs, run);
  }
  if (outcome.interrupted) throw InterruptedError("interrupted: the same command continues");
  const std::filesystem::path folder = options.out;
  const nlohmann::json results =
      nlohmann::json::parse(read_file(folder / "results.json", largest_results));
  const Reproduction reproduction = reproduce_tables(results.at("results"));
  const nlohmann::json record = reproduction_to_json(reproduction);
  write_together(
      {{folder / "tables.json", record.dump(2) + "\n"},
       {folder / "report.html", report::sweep_page(describe_reproduction(results, reproduction))}});
  if (options.json) {
    print_json(record);
    return;
  }
  print(reproduction_text(reproduction));
  print("\nThe page with figures 1 and 2: " + visible_line((folder / "report.html").string()) +
        "\n");
}

Action setup_reproduce(CLI::App& command) {
  auto options = std::make_shared<ReproduceOptions>();
  add_count(command, "--seeds", options->seeds, "seeds per cell (default: 20, as in the paper)");
  add_out_folder(command, options->out, "folder for the results (default: reproduce)");
  add_device(command);
  add_count(command, "--jobs", options->jobs, "experiments at a time (default: one per core)");
  add_json(command, options->json, "print the tables as one JSON object");
  set_manual(
      command,
      {.synopsis = {"[--seeds~N] [--out~DIR] [--device~auto|cpu|gpu] [--jobs~N] [--json]"},
       .description =
           {"Recomputes the paper's two tables and prints every cell next to the "
            "published one. A star marks means that differ by more than two of the "
            "paper's standard deviations, and standard deviations whose ratio to the "
            "paper's has a probability below 5 %, with the reason where it is known. "
            "For comparison it adds LQR, the minimum-norm start, cross-validated ridge and "
            "the exact optimum, and the same costs under coloured noise.",
            "Results that DIR has already are kept: a second run costs nothing."},
       .files = {{"DIR/results.csv, results.json", "one row per experiment"},
                 {"DIR/tables.json", "the tables"},
                 {"DIR/report.html", "the tables with figures 1 and 2"}},
       .statuses =
           {{"1", "numerical failure, or Ctrl-C, SIGTERM or SIGHUP: the same command continues"}},
       .examples = {{"loopcert reproduce --seeds 1 --out paper",
                     "One seed instead of twenty, for a quick check:"}},
       .see_also = {"sweep", "report", "docs/reproduction.md"},
       .choices = {{"--device", device_list}}});
  return [options] { run_reproduce(*options); };
}

}  // namespace

Command reproduce_command() {
  return {"reproduce", "recompute the paper's tables, next to the published numbers",
          setup_reproduce, about_experiments};
}

}  // namespace loopcert::app
