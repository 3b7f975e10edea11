#include "workflow/known_episodes.hpp"

#include <fmt/format.h>

#include "core/text.hpp"

namespace loopcert {
namespace {

std::vector<std::string> component_names(const Problem& problem) {
  std::vector<std::string> names;
  for (Index i = 0; i < problem.sizes().n_x; ++i)
    names.push_back(problem.data.states.empty()
                        ? fmt::format("x[{}]", i)
                        : column_text(problem.data.states[static_cast<size_t>(i)]));
  return names;
}

}  // namespace

Reconstruction reconstruct(const Problem& problem, const Rollouts& rollouts) {
  Reconstruction result;
  require_stated_plant(problem, "computing disturbances from logs");
  ReconstructionNotes& notes = result.notes;
  result.data = reconstruct_disturbances(problem.system.plant, rollouts);
  notes.components = component_names(problem);
  // Purified outputs are no errors of a prediction: they are all that the inputs did not cause.
  if (problem.system.plant.has_state())
    notes.residuals = reconstruction_residuals(rollouts, result.data, problem.sizes());
  std::vector<std::string> names;
  for (const Index i : unexplained_components(notes.residuals))
    names.push_back(notes.components[static_cast<size_t>(i)]);
  if (!names.empty())
    notes.warnings.push_back("the model predicts " + join(names) +
                             " more than twice as badly as \"no change\": columns, units or signs "
                             "mixed up, another operating point (zero), or a wrong model?");
  if (problem.data.longer == Longer::windows)
    notes.warnings.push_back(
        "pieces of one log are treated as independent trajectories, as certificates assume; "
        "correlation over more than the gap violates this");
  return result;
}

Reconstruction reconstruct(const Problem& problem, const KnownEpisodes& known) {
  Reconstruction result = reconstruct(problem, at_offset_of_plant(problem.system.plant, known));
  if (known.d.size() > 0) result.data.logs = {};
  return result;
}

void add_notes(std::vector<Warning>& warnings, const ReconstructionNotes& notes) {
  std::vector<Warning> all;
  for (const std::string& text : notes.warnings) all.push_back({"log", text});
  warnings.insert(warnings.begin(), all.begin(), all.end());
}

nlohmann::json residuals_to_json(const ReconstructionNotes& notes) {
  nlohmann::json list = nlohmann::json::array();
  for (size_t i = 0; i < notes.residuals.size(); ++i) {
    const ComponentResidual& r = notes.residuals[i];
    list.push_back({{"component", notes.components[i]},
                    {"state_rms", r.state},
                    {"change_rms", r.change},
                    {"residual_rms", r.residual},
                    {"residual_mean", r.mean},
                    {"residual_largest", r.largest}});
  }
  return list;
}

}  // namespace loopcert
