// loopcert sweep: many experiments into one folder.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/failure.hpp"
#include "cli/interrupt.hpp"
#include "cli/launcher.hpp"
#include "cli/manual.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "commands/commands.hpp"
#include "core/number_from.hpp"
#include "core/parallel.hpp"
#include "loopcert/core/error.hpp"
#include "sweeps/sweep_run.hpp"

namespace loopcert::app {
namespace {

constexpr Index most_jobs = 1024;

struct SweepOptions {
  std::string sweep;
  std::string out;
  std::optional<Index> jobs;
  std::string shard;
  bool resume = false;
  bool merge = false;
  bool json = false;
  bool quiet = false;
};

// "2/8"
Shard parse_shard(const std::string& text) {
  const size_t slash = text.find('/');
  if (slash != text.npos) {
    const auto index = number_from<Index>(text.substr(0, slash));
    const auto count = number_from<Index>(text.substr(slash + 1));
    if (index && count && *index >= 1 && *index <= *count) return {*index, *count};
  }
  throw UsageError("--shard: found '" + text + "', expected i/N with i from 1 to N");
}

SweepRunOptions run_options(const SweepOptions& options) {
  SweepRunOptions run;
  run.folder = options.out;
  run.resume = options.resume;
  run.merge = options.merge;
  const std::optional<Shard> launched = launched_shard();
  if (!options.shard.empty()) run.shard = parse_shard(options.shard);
  if (launched && (run.shard || run.merge))
    throw UsageError(std::string(run.shard ? "--shard" : "--merge") +
                     ": not under a launcher with several ranks");
  if (launched) {
    run.shard = launched;
    run.launched = true;
  }
  if (options.jobs && *options.jobs > most_jobs)
    throw UsageError(
        fmt::format("--jobs: found {}, expected at most {}", *options.jobs, most_jobs));
  // The launcher has already put one rank on each core.
  run.threads = options.jobs ? static_cast<int>(*options.jobs) : launched ? 1 : default_threads();
  return run;
}

std::string count_of_jobs(Index count) {
  return count == 1 ? "1 job" : fmt::format("{} jobs", count);
}

void report(const SweepOptions& options, const SweepJobs& jobs, const SweepRunOptions& run,
            const SweepOutcome& outcome) {
  const bool whole = outcome.exported;
  if (run.launched && !whole) return;  // the first rank speaks for all
  if (outcome.failed > 0)
    warn(fmt::format("{} of {} jobs failed numerically", outcome.failed, outcome.total));
  for (const FailureReason& reason : outcome.failures)
    warn(fmt::format("{} failed: {}", count_of_jobs(reason.count), reason.message));
  if (options.json) {
    nlohmann::json object = {{"status", "done"},         {"name", jobs.name},
                             {"jobs", outcome.total},    {"computed", outcome.computed},
                             {"failed", outcome.failed}, {"out", options.out},
                             {"shard", nullptr}};
    object["failures"] = nlohmann::json::array();
    for (const FailureReason& reason : outcome.failures)
      object["failures"].push_back({{"reason", reason.message}, {"jobs", reason.count}});
    if (!whole) object["shard"] = fmt::format("{}/{}", run.shard->index, run.shard->count);
    print_json(object);
    return;
  }
  if (options.quiet) return;
  Table table;
  table.add("sweep", jobs.name);
  if (!whole) table.add("shard", options.shard);
  table.add("jobs", std::to_string(outcome.total));
  table.add("computed", fmt::format("{} here, {} elsewhere or before", outcome.computed,
                                    outcome.total - outcome.computed));
  table.add("written", whole ? "results.csv, results.json in " + options.out
                             : fmt::format("shard-{}-of-{}.sqlite in {}", run.shard->index,
                                           run.shard->count, options.out));
  if (whole) table.add("page", "loopcert report " + options.out);
  print(table.text());
}

void run_sweep_command(const SweepOptions& options) {
  SweepRunOptions run = run_options(options);
  const Sweep sweep = read_sweep(options.sweep);
  const SweepJobs jobs = at_place(options.sweep, [&] { return list_jobs(sweep); });
  SweepOutcome outcome;
  {
    const InterruptGuard guard;  // a signal keeps the results so far
    const bool first = !run.launched || run.shard->index == 1;
    Progress bar(options.quiet || !first, "sweep");
    run.interrupted = interrupted;
    run.progress = [&](Index done, Index total, Index computed) {
      bar.show("sweep", done, total, computed);
    };
    outcome = run_sweep(jobs, run);
  }
  if (outcome.interrupted)
    throw InterruptedError(fmt::format("interrupted: {} of {} jobs done, --resume continues",
                                       outcome.done, outcome.total));
  report(options, jobs, run, outcome);
}

Action setup_sweep(CLI::App& command) {
  auto options = std::make_shared<SweepOptions>();
  add_argument(command, "SWEEP", options->sweep, "sweep file (.toml or .json)");
  add_out_folder(command, options->out, "folder for the results, created if missing")->required();
  add_device(command);
  add_count(command, "--jobs", options->jobs,
            "experiments at a time (default: one per core; under a launcher one per rank)");
  command.add_flag("--resume", options->resume,
                   "keep the results that DIR has, compute those that are missing");
  CLI::Option* shard =
      command
          .add_option("--shard", options->shard,
                      "compute every N-th job from the i-th on, into a separate file in DIR")
          ->type_name("i/N");
  command
      .add_flag("--merge", options->merge,
                "collect the shards in DIR; with --resume also compute what is missing")
      ->excludes(shard);
  add_json(command, options->json);
  add_quiet(command, options->quiet);
  set_manual(
      command,
      {.synopsis = {"SWEEP --out~DIR [--jobs~N] [--resume] [--shard~i/N | --merge] "
                    "[--device~auto|cpu|gpu] [--json] [--quiet]",
                    "SWEEP --out~DIR --merge [--resume]"},
       .description =
           {"Runs every combination of the problems, methods, certificates, sizes and seeds of a "
            "sweep file, and writes one row of results for each.",
            "DIR gets sweep.sqlite (each result as soon as it is finished) and, when all are "
            "finished, results.csv and results.json. Their bytes do not depend on --jobs, on "
            "shards, ranks or interruptions; a GPU may change last digits. Ctrl-C, SIGTERM, a "
            "crash or a full disk lose only the "
            "experiments in progress: run the same command with --resume.",
            "`mpirun -n N loopcert sweep ...` makes every rank a shard and merges at the end. "
            "Without a launcher, run --shard 1/N to N/N on any machines, then --merge."},
       .files = {{"SWEEP", "read: the sweep file (docs/sweep.md)"},
                 {"DIR/results.csv, results.json", "one row per experiment"},
                 {"DIR/sweep.sqlite, shard-i-of-N.sqlite", "results as they finish"}},
       .environment = {{"OMPI_COMM_WORLD_RANK, OMPI_COMM_WORLD_SIZE, PMI_RANK, PMI_SIZE",
                        "set by a launcher: this process is one rank of many"}},
       .statuses =
           {{"1",
             "memory ran out, or Ctrl-C, SIGTERM or SIGHUP stopped the sweep: --resume continues"}},
       .examples = {{"loopcert sweep examples/sweeps/quick.toml --out quick", ""},
                    {"loopcert report quick", ""},
                    {"loopcert sweep examples/sweeps/quick.toml --out halves --shard 1/2",
                     "In two halves, perhaps on two machines:"},
                    {"loopcert sweep examples/sweeps/quick.toml --out halves --shard 2/2", ""},
                    {"loopcert sweep examples/sweeps/quick.toml --out halves --merge", ""}},
       .see_also = {"report", "reproduce", "docs/sweep.md"},
       .choices = {{"--device", device_list}}});
  return [options] { run_sweep_command(*options); };
}

}  // namespace

Command sweep_command() {
  return {"sweep", "run many experiments, on threads, processes or machines", setup_sweep,
          about_experiments};
}

}  // namespace loopcert::app
