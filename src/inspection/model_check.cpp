#include "inspection/model_check.hpp"

#include <fmt/format.h>

#include "inspect_common.hpp"
#include "model_fit.hpp"

namespace loopcert {

bool ModelCheck::contradicted_at(double level) const {
  return tested && p_value < level && gain >= smallest_gain;
}

ModelCheck check_model(const Problem& problem, const Rollouts& logs, double level) {
  ModelCheck check;
  const Plant& plant = problem.system.plant;
  if (!plant.has_state()) return check;
  const auto found = input_responses(plant, logs);
  if (!found) return check;
  check.tested = true;
  check.p_value = found->p;
  check.state = found->worst_state;
  check.input = found->worst_input;
  check.lag = found->worst_lag;
  check.gain = cross_fitted_gain(*found, check.state);
  const bool varies = plant.A.size() > 1 || plant.B.size() > 1;
  if (!check.contradicted_at(level) || varies) return check;
  const auto fitted =
      input_responses(plant, logs, {.episodes = 1000, .back = 2, .regressors = true});
  if (!fitted) return check;
  const FittedInputs fit = fit_inputs(*fitted);
  check.cause = likely_cause(problem, logs, fit);
  check.entries = disagreeing_entries(plant, logs, fit, /*only_inputs=*/!check.cause.empty());
  return check;
}

std::string model_warning(const ModelCheck& check, const Problem& problem) {
  const auto name = [](const std::vector<ColumnSpec>& columns, const char* letter, Index i) {
    return columns.empty() ? fmt::format("{}[{}]", letter, i)
                           : column_text(columns[static_cast<size_t>(i)]);
  };
  std::string text = fmt::format(
      "the logged inputs do not move {} as the model predicts ({}): they explain {:.3g} % of its "
      "one-step error given the past, on held-out episodes; with the right model they would "
      "explain nothing",
      name(problem.data.states, "x", check.state), p_text(check.p_value), 100 * check.gain);
  for (size_t k = 0; k < check.entries.size(); ++k) {
    const ModelCheck::Entry& e = check.entries[k];
    text += fmt::format("{}{} = {:.3g} +- {:.1g} instead of {:.3g}",
                        k == 0 ? "; the logs give " : ", ", e.name, e.fitted, e.error, e.file);
  }
  if (!check.cause.empty()) text += "; a possible cause: " + check.cause;
  return text + ". A controller that knows the disturbance in advance can cause this too";
}

}  // namespace loopcert
