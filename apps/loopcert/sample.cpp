// loopcert sample: disturbance trajectories from the problem's law, into a file.
#include <fmt/format.h>

#include <memory>

#include "commands.hpp"
#include "load_data.hpp"
#include "loopcert/data/trajectory_files.hpp"
#include "options.hpp"
#include "output.hpp"

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
  const Disturbances data =
      sample_from_law(problem, options.problem, options.seed,
                      options.fresh ? sample_to_simulate : sample_to_learn, options.n.value());
  write_disturbances(options.out, data, problem.sizes());
  print(fmt::format("{}: {} trajectories of {} numbers\n", options.out, data.w.rows(),
                    data.w.cols()));
}

}  // namespace

Action setup_sample(CLI::App& command) {
  auto options = std::make_shared<SampleOptions>();
  add_path(command, "PROBLEM", options->problem, "problem file (.toml or .json) with a covariance")
      ->required()
      ->type_name("");
  add_count(command, "-n", options->n, "how many trajectories")->required();
  add_seed(command, options->seed);
  add_path(command, "--out", options->out, "file to write (" + written_list() + ")")
      ->required()
      ->type_name("FILE");
  command.add_flag("--fresh", options->fresh,
                   "the trajectories that simulate and certify --sample draw");
  command.footer(
      "The trajectories are those of `loopcert learn --sample N` with the same seed; with --fresh\n"
      "those of `loopcert simulate --sample N` and `loopcert certify --sample N`.");
  return [options] { run_sample(*options); };
}

}  // namespace loopcert::app
