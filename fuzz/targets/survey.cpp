// A table of logs, as `init` looks at it: what it finds there is right, and a problem file drafted
// from it reads back.
#include <numeric>

#include "../targets.hpp"
#include "loopcert/workflow/draft.hpp"

namespace loopcert::fuzz {

void survey(Bytes bytes) {
  const auto path = scratch_file("log.csv", bytes);
  LogSurvey found;
  if (!accepted([&] { found = survey_logs({path}); })) return;
  require(!found.lengths.empty(), "there is an episode");
  DraftOptions options;
  for (const SurveyedSignal& signal : found.signals) {
    require(signal.count == 0 || signal.least <= signal.largest, "least comes before largest");
    if (!signal.role.empty() || !signal.is_number() || signal.is_constant()) continue;
    (options.inputs.empty() ? options.inputs : options.states).push_back(signal.name);
  }
  accepted([&] { draft_problem({path}, options); });
  if (!options.states.empty()) options.outputs.swap(options.states);
  accepted([&] { draft_problem({path}, options); });
}

}  // namespace loopcert::fuzz
