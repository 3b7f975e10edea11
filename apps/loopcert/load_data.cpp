#include "load_data.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "loopcert/core/error.hpp"
#include "loopcert/core/memory.hpp"
#include "loopcert/core/text.hpp"
#include "loopcert/data/fingerprint.hpp"
#include "loopcert/data/law.hpp"
#include "loopcert/data/trajectory_files.hpp"

namespace loopcert::app {
namespace {

std::vector<std::string> component_names(const Problem& problem) {
  std::vector<std::string> names;
  for (Index i = 0; i < problem.sizes().n_x; ++i)
    names.push_back(problem.data.states.empty()
                        ? fmt::format("x[{}]", i)
                        : column_text(problem.data.states[static_cast<size_t>(i)]));
  return names;
}

// A change that is left over, in parts of what there was to explain.
std::string share(const ComponentResidual& r) {
  if (!(r.change > 0)) return "nothing changes in the log";
  return fmt::format("{:.3g} % of the change in a step", 100 * r.residual / r.change);
}

std::string residual_text(const ComponentResidual& r) {
  return fmt::format("rms {:.3g}, {}; mean {:.2g}, largest {:.3g}", r.residual, share(r), r.mean,
                     r.largest);
}

void load_rollouts(LoadedData& loaded, const DataOptions& options, const Problem& problem) {
  const Rollouts rollouts = read_rollouts({options.rollouts.begin(), options.rollouts.end()},
                                          problem.data, problem.system.plant);
  loaded.data = reconstruct_disturbances(problem.system.plant, rollouts);
  loaded.residuals = reconstruction_residuals(rollouts, loaded.data, problem.sizes());
  std::vector<std::string> names;
  for (const Index i : unexplained_components(loaded.residuals))
    names.push_back(loaded.components[static_cast<size_t>(i)]);
  if (!names.empty())
    loaded.warnings.push_back(
        "the model predicts " + join(names) +
        " more than twice as badly as no change at all would: columns, units or signs mixed up, or "
        "a wrong model?");
  if (problem.data.longer == Longer::windows)
    loaded.warnings.push_back(
        "pieces of one log count as independent trajectories: certificates assume that, and "
        "correlation over more than the gap breaks it");
}

}  // namespace

Disturbances sample_from_law(const Problem& problem, const std::string& problem_path,
                             std::uint64_t seed, SamplePurpose purpose, Index n) {
  if (!problem.disturbance.law)
    throw_input_error(problem_path + ": disturbance.covariance", "nothing",
                      "the law to sample from");
  const double bytes = 8.0 * static_cast<double>(n) * static_cast<double>(problem.sizes().d_w());
  check_memory(std::to_string(n) + " trajectories", 3 * bytes, memory_limit());  // with work space
  return sample_disturbances(*problem.disturbance.law, Stream{seed, purpose}, n);
}

LoadedData load_data(const DataOptions& options, const Problem& problem,
                     const std::string& problem_path, SamplePurpose purpose, bool keep_repeated) {
  LoadedData loaded;
  loaded.components = component_names(problem);
  if (options.sample)
    loaded.data = sample_from_law(problem, problem_path, options.seed, purpose, *options.sample);
  if (!options.data.empty())
    loaded.data = read_disturbances({options.data.begin(), options.data.end()}, problem.data,
                                    problem.sizes());
  if (!options.rollouts.empty()) load_rollouts(loaded, options, problem);
  if (!options.sample && !keep_repeated && !problem.data.keep_repeated)
    at_place(join(options.data.empty() ? options.rollouts : options.data),
             [&] { check_repeated(loaded.data); });
  return loaded;
}

void add_residual(Table& table, const LoadedData& loaded) {
  if (loaded.residuals.empty()) return;
  const auto worse = [](const ComponentResidual& a, const ComponentResidual& b) {
    return a.residual * b.change < b.residual * a.change;
  };
  const auto worst = std::max_element(loaded.residuals.begin(), loaded.residuals.end(), worse);
  table.add("model residual",
            fmt::format("at most {} ({})", share(*worst),
                        loaded.components[static_cast<size_t>(worst - loaded.residuals.begin())]));
}

void add_residuals(Table& table, const LoadedData& loaded) {
  for (size_t i = 0; i < loaded.residuals.size(); ++i)
    table.add("residual of " + loaded.components[i], residual_text(loaded.residuals[i]));
}

nlohmann::json residuals_to_json(const LoadedData& loaded) {
  nlohmann::json list = nlohmann::json::array();
  for (size_t i = 0; i < loaded.residuals.size(); ++i) {
    const ComponentResidual& r = loaded.residuals[i];
    list.push_back({{"component", loaded.components[i]},
                    {"state_rms", r.state},
                    {"change_rms", r.change},
                    {"residual_rms", r.residual},
                    {"residual_mean", r.mean},
                    {"residual_largest", r.largest}});
  }
  return list;
}

}  // namespace loopcert::app
