// Bounds at a posterior, as a person reads them.
#pragma once

#include "cli/output.hpp"
#include "workflow/evaluate_run.hpp"

namespace loopcert::app {

// One bound in full, or a line for each; then what the law says of the mean response.
void add_evaluation(Table& table, const Evaluation& evaluation);

}  // namespace loopcert::app
