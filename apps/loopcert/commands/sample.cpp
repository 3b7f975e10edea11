// loopcert sample: disturbance trajectories from the problem's law, into a file.
#include <fmt/format.h>

#include <memory>

#include "cli/load_data.hpp"
#include "cli/manual.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "commands/commands.hpp"
#include "core/visible.hpp"
#include "loopcert/data/trajectory_files.hpp"

namespace loopcert::app {
namespace {

struct SampleOptions {
  std::string problem;
  std::optional<Index> n;
  std::uint64_t seed = 0;
  std::string out;
  bool fresh = false;
};

void run_sample(const SampleOptions& options) {
  check_array_extension("--out", options.out);
  const Problem problem = read_problem(options.problem);
  const Disturbances data = [&] {
    const Progress progress(false, "sample");
    Disturbances drawn =
        sample_from_law(problem, options.problem, options.seed,
                        options.fresh ? sample_to_simulate : sample_to_learn, options.n.value());
    write_disturbances(options.out, drawn, problem.sizes(), problem.data);
    return drawn;
  }();
  print(fmt::format("{}: {} trajectories of {} numbers\n", visible_line(options.out), data.w.rows(),
                    data.w.cols()));
}

Action setup_sample(CLI::App& command) {
  auto options = std::make_shared<SampleOptions>();
  add_argument(command, "PROBLEM", options->problem,
               "problem file (.toml or .json) with a covariance");
  add_count(command, "-n", options->n, "how many trajectories")->required();
  add_seed(command, options->seed);
  add_path(command, "--out", options->out, "file to write (" + written_list() + ")")->required();
  command.add_flag("--fresh", options->fresh,
                   "the trajectories that simulate and certify --sample draw");
  set_manual(
      command,
      {.synopsis = {"PROBLEM -n~N --out~FILE [--seed~S] [--fresh]"},
       .description =
           {"Draws disturbance trajectories from the law that the problem file states "
            "(disturbance.covariance, mean and distribution) and writes them, one per row. The "
            "first rows do not depend on N.",
            "The trajectories are those of `loopcert learn --sample N` with the same seed; with "
            "--fresh those of `loopcert simulate --sample N` and `loopcert certify --sample N`."},
       .files = {{"FILE",
                  "one row per trajectory: x_0, w_0, ..., w_{T-1}; .csv or .npy by extension"}},
       .examples = {{"loopcert sample examples/double-integrator/problem.toml -n 40 --seed 1 "
                     "--out data.csv",
                     ""},
                    {"loopcert sample examples/double-integrator-coloured/problem.toml -n 1000 "
                     "--fresh --out fresh.npy",
                     ""}},
       .see_also = {"learn", "simulate", "recheck"}});
  return [options] { run_sample(*options); };
}

}  // namespace

Command sample_command() {
  return {"sample", "draw disturbance trajectories from the problem's law", setup_sample,
          about_experiments};
}

}  // namespace loopcert::app
