// --method, --certificate and --gamma in place of what the problem file says.
#pragma once

#include "workflow/overrides.hpp"

namespace loopcert::app {

// Throws UsageError.
void override_by_options(Problem& problem, const LearningOverrides& overrides);

}  // namespace loopcert::app
