#include "workflow/signal_names.hpp"

#include "core/text.hpp"

namespace loopcert {
namespace {

std::string signal_list(const std::vector<ColumnSpec>& columns, Index count) {
  std::vector<std::string> names;
  for (Index i = 0; i < count; ++i) names.push_back(signal_text(columns[static_cast<size_t>(i)]));
  return join(names);
}

}  // namespace

void add_signal_names(std::map<std::string, std::string>& provenance, const Problem& problem) {
  const Sizes sizes = problem.sizes();
  if (!problem.data.states.empty())  // those that it sees
    provenance[problem.system.plant.has_state() ? "states" : "outputs"] =
        signal_list(problem.data.states, sizes.n_y);
  if (!problem.data.inputs.empty())
    provenance["inputs"] = signal_list(problem.data.inputs, sizes.n_u);
}

}  // namespace loopcert
