// What `simulate --json` says of limits and clipping.
#pragma once

#include <nlohmann/json.hpp>

#include "loopcert/simulation/rollout.hpp"

namespace loopcert {

// {episodes, rows: [{name, share}]}: shares of episodes with any violation.
nlohmann::json violations_to_json(const Limits& limits, const Simulation& simulation);

// {limits, mean, standard_error, episodes_clipped, steps_clipped}, and violations where there are
// limits. `steps`: of an episode.
nlohmann::json clip_to_json(const Matrix& clip, const std::optional<Limits>& limits,
                            const Simulation& clipped, Index steps);

}  // namespace loopcert
