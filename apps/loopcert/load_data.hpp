// Trajectories from wherever the command line says, checked.
#pragma once

#include <string>

#include "loopcert/data/disturbances.hpp"
#include "loopcert/experiment/reconstruction.hpp"
#include "loopcert/experiment/sampling.hpp"
#include "loopcert/problem/problem.hpp"
#include "options.hpp"
#include "output.hpp"

namespace loopcert::app {

using LoadedData = Reconstruction;  // n = 0 when the options name none

// Throws InputError when two trajectories are equal, unless the problem says that this is right or
// `keep_repeated`.
LoadedData load_data(const DataOptions& options, const Problem& problem,
                     const std::string& problem_path, SamplePurpose purpose,
                     bool keep_repeated = false);

// How well the model explains logged episodes: the worst component, or all.
void add_residual(Table& table, const LoadedData& loaded);
void add_residuals(Table& table, const LoadedData& loaded);

}  // namespace loopcert::app
