#include "cli/load_data.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/progress.hpp"
#include "core/text.hpp"
#include "data/fingerprint.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/data/trajectory_files.hpp"
#include "workflow/known_episodes.hpp"

namespace loopcert::app {
namespace {

// A change that is left over, in parts of what there was to explain.
std::string share(const ComponentResidual& r) {
  if (!(r.change > 0)) return "nothing changes in the log";
  return fmt::format("{:.3g} % of the change in a step", 100 * r.residual / r.change);
}

std::string residual_text(const ComponentResidual& r) {
  return fmt::format("rms {:.3g}, {}; mean {:.2g}, largest {:.3g}", r.residual, share(r), r.mean,
                     r.largest);
}

}  // namespace

LoadedData load_data(const DataOptions& options, const Problem& problem,
                     const std::string& problem_path, SamplePurpose purpose, bool keep_repeated) {
  LoadedData loaded;
  Progress progress(options.quiet, options.sample ? "sample" : "read");
  const WatchWork watched(&progress);
  if (options.sample)
    loaded.data = sample_from_law(problem, problem_path, options.seed, purpose, *options.sample);
  if (!options.data.empty())
    loaded.data = read_disturbances({options.data.begin(), options.data.end()}, problem.data,
                                    problem.sizes());
  if (!options.rollouts.empty()) {
    loaded =
        reconstruct(problem, read_known_episodes({options.rollouts.begin(), options.rollouts.end()},
                                                 problem.data, problem.system.plant));
  }
  if (!options.sample && !keep_repeated && !problem.data.keep_repeated)
    at_place(join(options.data.empty() ? options.rollouts : options.data),
             [&] { check_repeated(loaded.data, problem.system.plant); });
  return loaded;
}

void add_logged_cost(Table& table, const std::optional<LoggedCost>& cost) {
  if (cost)
    table.add("logged cost", fmt::format("{} +- {:.2g} (of the logged controller)",
                                         cost_text(cost->mean), cost->standard_error));
}

void add_residual(Table& table, const LoadedData& loaded) {
  if (loaded.notes.residuals.empty()) return;
  const auto worse = [](const ComponentResidual& a, const ComponentResidual& b) {
    return a.residual * b.change < b.residual * a.change;
  };
  const auto worst =
      std::max_element(loaded.notes.residuals.begin(), loaded.notes.residuals.end(), worse);
  table.add(
      "model residual",
      fmt::format(
          "at most {} ({})", share(*worst),
          loaded.notes.components[static_cast<size_t>(worst - loaded.notes.residuals.begin())]));
}

void add_residuals(Table& table, const LoadedData& loaded) {
  for (size_t i = 0; i < loaded.notes.residuals.size(); ++i)
    table.add("residual of " + loaded.notes.components[i],
              residual_text(loaded.notes.residuals[i]));
}

}  // namespace loopcert::app
