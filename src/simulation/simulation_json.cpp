#include "simulation/simulation_json.hpp"

#include "controller/input_limits.hpp"

namespace loopcert {

nlohmann::json violations_to_json(const Limits& limits, const Simulation& simulation) {
  const Vector shares = shares_of_episodes(simulation.violated);
  nlohmann::json rows = nlohmann::json::array();
  for (size_t r = 0; r < limits.rows.size(); ++r)
    rows.push_back({{"name", limits.rows[r].name}, {"share", shares(static_cast<Index>(r))}});
  return {{"episodes", share_of_episodes(simulation.violated)}, {"rows", rows}};
}

nlohmann::json clip_to_json(const Matrix& clip, const std::optional<Limits>& limits,
                            const Simulation& clipped, Index steps) {
  const CostStatistics cost = finite_statistics(clipped.cost);
  const Vector shares = shares_of_steps(clipped.clipped, steps);
  nlohmann::json tree = {{"limits", input_limits_to_json(clip)},
                         {"mean", cost.mean},
                         {"standard_error", cost.standard_error},
                         {"episodes_clipped", share_of_episodes(clipped.clipped)},
                         {"steps_clipped", std::vector<double>(shares.begin(), shares.end())}};
  if (limits) tree["violations"] = violations_to_json(*limits, clipped);
  return tree;
}

}  // namespace loopcert
