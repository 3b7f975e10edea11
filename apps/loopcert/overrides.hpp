// What the command line says about learning in place of the problem file.
#pragma once

#include <optional>
#include <string>

#include "loopcert/problem/problem.hpp"

namespace loopcert::app {

// --method and --certificate. Method auto without a certificate asks for the best one; a table of
// deltas that belongs to another certificate counts by its sum. Throws UsageError on a name that
// does not exist, and on a certificate that the method does not give.
void override_learning(Problem& problem, const std::optional<std::string>& method,
                       const std::optional<std::string>& certificate);

}  // namespace loopcert::app
