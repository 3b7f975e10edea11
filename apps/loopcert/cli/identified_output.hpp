// A run with an identified plant, as a person reads it.
#pragma once

#include "cli/output.hpp"
#include "workflow/identified_run.hpp"

namespace loopcert::app {

Table identified_summary(const Problem& problem, const IdentifiedRun& run);

}  // namespace loopcert::app
