// Trajectories from wherever the command line says, checked.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "loopcert/data/disturbances.hpp"
#include "loopcert/data/residual.hpp"
#include "loopcert/problem/problem.hpp"
#include "options.hpp"
#include "output.hpp"

namespace loopcert::app {

// What the sampled numbers are for. Different purposes draw different numbers from one seed.
enum SamplePurpose : std::uint64_t { sample_to_learn = 0, sample_to_simulate = 1 };

Disturbances sample_from_law(const Problem& problem, const std::string& problem_path,
                             std::uint64_t seed, SamplePurpose purpose, Index n);

struct LoadedData {
  Disturbances data;                         // n = 0 when the options name none
  std::vector<std::string> components;       // of the state, as the problem names them
  std::vector<ComponentResidual> residuals;  // of logged episodes, else empty
  std::vector<std::string> warnings;
};

// Throws InputError when two trajectories are equal, unless the problem says that this is right or
// `keep_repeated`.
LoadedData load_data(const DataOptions& options, const Problem& problem,
                     const std::string& problem_path, SamplePurpose purpose,
                     bool keep_repeated = false);

// How well the model explains logged episodes: the worst component for a table, all for a record.
void add_residual(Table& table, const LoadedData& loaded);
void add_residuals(Table& table, const LoadedData& loaded);
nlohmann::json residuals_to_json(const LoadedData& loaded);

}  // namespace loopcert::app
