// Trajectories from wherever the command line says, checked.
#pragma once

#include <optional>
#include <string>

#include "cli/options.hpp"
#include "cli/output.hpp"
#include "inspection/warnings.hpp"
#include "loopcert/data/disturbances.hpp"
#include "loopcert/problem/problem.hpp"
#include "workflow/reconstruction.hpp"
#include "workflow/sampling.hpp"

namespace loopcert::app {

using LoadedData = Reconstruction;  // n = 0 when the options name none

// Throws InputError when two trajectories are equal, unless the problem says that this is right or
// `keep_repeated`.
LoadedData load_data(const DataOptions& options, const Problem& problem,
                     const std::string& problem_path, SamplePurpose purpose,
                     bool keep_repeated = false);

// "2.1 +- 0.1": of the controller that made the logs.
void add_logged_cost(Table& table, const std::optional<LoggedCost>& cost);

// How well the model explains logged episodes: the worst component, or all.
void add_residual(Table& table, const LoadedData& loaded);
void add_residuals(Table& table, const LoadedData& loaded);

}  // namespace loopcert::app
