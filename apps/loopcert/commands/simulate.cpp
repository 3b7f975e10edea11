// loopcert simulate: a controller in closed loop with the plant, trajectory by trajectory.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/after_option.hpp"
#include "cli/failure.hpp"
#include "cli/load_data.hpp"
#include "cli/manual.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "commands/commands.hpp"
#include "controller/fit.hpp"
#include "controller/memory_controller.hpp"
#include "core/parallel.hpp"
#include "core/text.hpp"
#include "loopcert/controller/controller_file.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/data/trajectory_files.hpp"
#include "loopcert/simulation/rollout.hpp"
#include "simulation/simulation_json.hpp"
#include "workflow/after_run.hpp"
#include "workflow/freshness.hpp"

namespace loopcert::app {
namespace {

struct SimulateOptions {
  std::string problem;
  std::string controller;
  DataOptions data;
  std::string paths;
  std::optional<Index> steps;
  std::string after = "refuse";
  bool clip = false;
  bool json = false;
};

// A controller that runs for ever, as its first steps.
Controller read_fitting_controller(const SimulateOptions& options, const Problem& problem,
                                   bool endless) {
  Controller controller =
      endless ? first_steps(read_memory_controller(options.controller), *options.steps)
              : read_controller(options.controller);
  if (options.steps && !endless)
    controller = at_place(options.controller, [&] {
      return extend_controller(controller, *options.steps, after_of(options.after));
    });
  check_fits(options.controller, controller, problem.sizes(), options.problem);
  return controller;
}

std::string share_text(double share) { return fmt::format("{:.4g} %", 100 * share); }

void add_violations(Table& table, const nlohmann::json& violations, const std::string& which) {
  table.add("episodes that violate limits" + which, share_text(violations["episodes"]));
  for (const nlohmann::json& row : violations["rows"])
    table.add("  " + row["name"].get<std::string>(), share_text(row["share"]));
}

void add_clipping(Table& table, const nlohmann::json& clip) {
  const auto side = [](const nlohmann::json& value, const char* none) {
    return value.is_null() ? std::string(none) : number_text(value);
  };
  table.add("mean cost, clipped", cost_text(clip["mean"]));
  table.add("standard error, clipped", cost_text(clip["standard_error"]));
  table.add("episodes clipped", share_text(clip["episodes_clipped"]));
  for (size_t i = 0; i < clip["limits"].size(); ++i)
    table.add(fmt::format("steps clipped, u{}", i),
              fmt::format("{} (to [{}, {}])", share_text(clip["steps_clipped"][i]),
                          side(clip["limits"][i][0], "-inf"), side(clip["limits"][i][1], "inf")));
  if (clip.contains("violations")) add_violations(table, clip["violations"], ", clipped");
  table.add("certificates", "about the controller without clipping");
}

void run_simulate(const SimulateOptions& options) {
  if (!options.data.given())
    throw UsageError("simulate: needs data: --data, --rollouts or --sample");
  if (!options.paths.empty()) check_array_extension("--paths", options.paths);
  if (!options.steps && options.after != "refuse")
    throw UsageError("--after: requires --steps, the number of steps to simulate");
  const bool endless = has_memory_controller(options.controller);
  if (endless && !options.steps)
    throw UsageError("simulate: needs --steps: " + options.controller + " runs for ever");
  if (endless && options.after != "refuse")
    throw UsageError("--after: " + options.controller + " runs for ever, nothing comes after it");
  Problem problem =
      options.steps ? read_problem(options.problem, *options.steps) : read_problem(options.problem);
  at_place(options.problem, [&] { require_stated_plant(problem, "simulate"); });
  if (endless) problem.system.cost.P.setZero();  // no step is the last one
  const Controller controller = read_fitting_controller(options, problem, endless);
  const Matrix limits_to_clip = options.clip ? clip_of(problem.limits, controller) : Matrix();
  const LoadedData loaded = load_data(options.data, problem, options.problem, sample_to_simulate,
                                      /*keep_repeated=*/true);
  const Disturbances& data = loaded.data;
  for (const std::string& warning : loaded.notes.warnings) warn(warning);
  const Index seen = trajectories_seen(controller, data);
  // Of the controller as it is in its file: `controller` has been extended.
  std::optional<AfterRun> found;
  if (after_of(options.after) != AfterHorizon::refuse)
    found = look_after(problem, read_controller(options.controller), after_of(options.after), data);
  const std::string warning = found ? after_warning(*found) : "";
  if (!warning.empty()) warn(warning);

  SimulationOptions how{.keep_paths = !options.paths.empty() && !options.clip,
                        .threads = default_threads(),
                        .limits = problem.limits ? &*problem.limits : nullptr};
  Simulation simulation = [&] {
    Progress progress(options.json, "simulate");
    const WatchWork watched(&progress);
    return simulate(problem.system, controller, data, how);
  }();
  const CostStatistics cost = finite_statistics(simulation.cost);
  nlohmann::json violations, clip;
  if (problem.limits) violations = violations_to_json(*problem.limits, simulation);
  if (options.clip) {
    how.keep_paths = !options.paths.empty();
    how.clip = limits_to_clip;
    if (endless)
      how.replies =
          replies_to_clipping(read_memory_controller(options.controller), problem.sizes().T);
    simulation = simulate(problem.system, controller, data, how);
    clip = clip_to_json(how.clip, problem.limits, simulation, problem.sizes().T);
  }
  if (!options.paths.empty()) {
    const DataLayout layout =
        problem.system.plant.has_state() ? DataLayout{} : DataLayout::of_outputs();
    write_rollouts(options.paths, simulation.paths, problem.sizes(), layout);
  }

  if (options.json) {
    nlohmann::json object{{"status", "done"},
                          {"n", cost.n},
                          {"steps", problem.sizes().T},
                          {"learned_from", seen},
                          {"mean", cost.mean},
                          {"standard_error", cost.standard_error},
                          {"standard_deviation", cost.standard_deviation},
                          {"median", cost.median},
                          {"minimum", cost.minimum},
                          {"maximum", cost.maximum}};
    if (found) object["after"] = after_to_json(*found);
    if (problem.limits) object["violations"] = violations;
    if (options.clip) object["clip"] = clip;
    if (endless) object["mean_of_a_step"] = cost.mean / static_cast<double>(*options.steps);
    print_json(object);
    return;
  }
  Table table;
  table.add("problem", problem.name);
  table.add(
      "trajectories",
      std::to_string(cost.n) +
          (seen == 0 ? ""
                     : fmt::format(
                           " ({} of them are training data of the controller: not a held-out cost)",
                           seen)));
  if (options.steps)
    table.add("steps",
              endless ? std::to_string(*options.steps)
                      : fmt::format("{} (after the horizon: {})", *options.steps, options.after));
  table.add("mean cost", cost_text(cost.mean));
  if (endless) table.add("  of a step", cost_text(cost.mean / static_cast<double>(*options.steps)));
  table.add("standard error", cost_text(cost.standard_error));
  table.add("standard deviation", cost_text(cost.standard_deviation));
  table.add("median", cost_text(cost.median));
  table.add("smallest", cost_text(cost.minimum));
  table.add("largest", cost_text(cost.maximum));
  if (found)
    for (const auto& [name, value] : after_rows(*found))
      if (name != "after the horizon") table.add(name, value);
  if (problem.limits) add_violations(table, violations, "");
  if (options.clip) add_clipping(table, clip);
  if (!options.paths.empty()) table.add("written", options.paths);
  print(table.text());
}

Action setup_simulate(CLI::App& command) {
  auto options = std::make_shared<SimulateOptions>();
  add_problem(command, options->problem);
  add_path(command, "--controller", options->controller,
           "controller file (.json, or exported as .npz or .mat)")
      ->required();
  add_data_options(command, options->data);
  add_path(command, "--paths", options->paths, "write states and inputs (" + written_list() + ")");
  add_count(command, "--steps", options->steps,
            "simulate this many steps instead of the problem's horizon");
  add_after(command, options->after);
  command.add_flag("--clip", options->clip,
                   "also with inputs saturated to limits.u of the problem, or to the controller's "
                   "own limits");
  add_json(command, options->json);
  set_manual(
      command,
      {.synopsis = {std::string("PROBLEM --controller~FILE ") + data_synopsis +
                    " [--paths~FILE] [--steps~N] [--after~WHAT] [--clip] [--json]"},
       .description =
           {"Runs the closed loop of plant and controller step by step on each trajectory of "
            "disturbances, and prints mean, standard error, standard deviation, median, smallest "
            "and largest cost. It makes no assumptions and gives no certificate.",
            "--steps runs it for another number of steps. Steps beyond the horizon of the "
            "controller are refused, unless --after restart takes the state as a new x_0, or "
            "--after hold applies the gains of the last step to the last T states.",
            "A controller for an infinite horizon needs --steps, and a problem file that states A, "
            "B "
            "and the law; the mean cost is given for a step as well.",
            "--clip runs it a second time on the same trajectories with every input saturated "
            "after it is computed, and prints both costs, the share of episodes in which an input "
            "was clipped and the share of steps; --paths then writes the clipped ones. A "
            "certificate is about the controller without clipping. With [limits] the shares of "
            "episodes that violate them are printed in any case.",
            "--sample draws other trajectories than `loopcert learn --sample` and `loopcert "
            "sample` with the same seed, so that a controller is not tested on its training data."},
       .files = {{"--paths FILE", "x_0 to x_T, then u_0 to u_{T-1}, one trajectory per row"}},
       .examples = {{"loopcert learn examples/double-integrator/problem.toml --sample 40 --out out",
                     "The cost of a learned controller on 5000 fresh trajectories:"},
                    {"loopcert simulate examples/double-integrator/problem.toml "
                     "--controller out/controller.json --sample 5000",
                     ""},
                    {"loopcert simulate examples/double-integrator/problem.toml "
                     "--controller out/controller.json --sample 3 --seed 7 --paths paths.csv",
                     "Three paths to look at:"}},
       .see_also = {"learn", "certify", "sample", "export"},
       .choices = {{"--after", join(after_names(), " | ")}}});
  return [options] { run_simulate(*options); };
}

}  // namespace

Command simulate_command() {
  return {"simulate", "run a controller in closed loop and report its cost", setup_simulate};
}

}  // namespace loopcert::app
