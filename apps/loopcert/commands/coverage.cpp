// loopcert coverage: how often certificates are wrong, counted.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "calibration/coverage_plan.hpp"
#include "cli/failure.hpp"
#include "cli/interrupt.hpp"
#include "cli/manual.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "commands/commands.hpp"
#include "core/parallel.hpp"
#include "core/text.hpp"
#include "delivery/folder.hpp"

namespace loopcert::app {
namespace {

struct CoverageOptions {
  std::string file;
  std::optional<Index> sets;
  std::optional<Index> jobs;
  std::uint64_t seed = 0;
  std::string out;
  bool json = false;
  bool markdown = false;
};

CoveragePlan plan_of(const CoverageOptions& options) {
  CoveragePlan plan =
      options.file.empty() ? default_coverage_plan() : read_coverage_plan(options.file);
  if (options.sets) plan.sets = *options.sets;
  if (options.file.empty())
    if (const auto missing = kinds_without_cell(plan); !missing.empty())
      warn("no built-in problem states the assumptions of these kinds: " + join(missing));
  return plan;
}

CoverageReport compute(const CoverageOptions& options, const CoveragePlan& plan) {
  const InterruptGuard guard;
  Progress bar(options.json, "coverage");
  CoverageRun run;
  run.seed = options.seed;
  run.threads = options.jobs ? static_cast<int>(*options.jobs) : default_threads();
  run.interrupted = interrupted;
  CoverageReport report = run_coverage(
      plan, run, [&](Index done, Index total) { bar.show("coverage", done, total, done); });
  if (interrupted()) throw InterruptedError("interrupted: nothing was written");
  return report;
}

void run_coverage_command(const CoverageOptions& options) {
  const CoverageReport report = compute(options, plan_of(options));
  const nlohmann::json record = coverage_to_json(report);
  if (!options.out.empty()) {
    OutputFolder folder(options.out);
    folder.add("coverage.json", record.dump(2) + "\n");
    folder.add("coverage.csv", coverage_csv(report));
    folder.commit();
  }
  if (options.json)
    print_json(record);
  else
    print(options.markdown ? coverage_markdown(report) : coverage_text(report));
  if (report.unexpected() > 0)
    throw FindingError(fmt::format("{} verdicts are not as expected", report.unexpected()));
}

Action setup_coverage(CLI::App& command) {
  auto options = std::make_shared<CoverageOptions>();
  add_path(command, "FILE", options->file,
           "cells to run (.toml or .json; default: the built-in ones)")
      ->type_name("");
  add_count(command, "--sets", options->sets, "data sets per cell (default: 5000, or the file's)");
  add_device(command);
  add_count(command, "--jobs", options->jobs, "data sets at a time (default: one per core)");
  add_seed(command, options->seed);
  add_out_folder(command, options->out, "folder for coverage.json and coverage.csv");
  CLI::Option* json = add_json(command, options->json);
  command.add_flag("--markdown", options->markdown, "print the tables of docs/coverage.md")
      ->excludes(json);
  set_manual(
      command,
      {.synopsis = {"[FILE] [--sets~N] [--device~auto|cpu|gpu] [--jobs~N] [--seed~S] [--out~DIR] "
                    "[--json | --markdown]"},
       .description =
           {"Draws data sets from known laws that the certificates do not use, certifies on each, "
            "and counts values below the true cost. A certificate at confidence 0.95 may be "
            "violated in at most 5 of 100 data sets. Some cells violate an assumption on purpose "
            "and must fail.",
            "Without FILE the built-in cells are run, 5000 data sets each: that takes a while. "
            "Results do not depend on --jobs."},
       .files = {{"FILE", "read: cells to run (docs/coverage.md)"},
                 {"DIR/coverage.json, coverage.csv", "every cell with its counts"}},
       .statuses = {{"1",
                     "a verdict is not as expected, or Ctrl-C, SIGTERM or SIGHUP stopped the "
                     "count: nothing is written"}},
       .examples = {{"loopcert coverage examples/coverage/quick.toml --out coverage", ""}},
       .see_also = {"certify", "docs/coverage.md"},
       .choices = {{"--device", device_list}}});
  return [options] { run_coverage_command(*options); };
}

}  // namespace

Command coverage_command() {
  return {"coverage", "count how often certificates are violated", setup_coverage,
          about_experiments};
}

}  // namespace loopcert::app
