// What `identify` prints.
#pragma once

#include "cli/output.hpp"
#include "loopcert/problem/problem.hpp"
#include "workflow/identify_run.hpp"

namespace loopcert::app {

// "1.02 +- 0.01, 0.1": a row of a matrix; entries without a radius are known.
std::string row_text(const Matrix& matrix, const Matrix& radius, Index row);

Table identification_summary(const Problem& problem, const Identification& found);

}  // namespace loopcert::app
