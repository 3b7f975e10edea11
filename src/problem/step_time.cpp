#include "problem/step_time.hpp"

#include <nlohmann/json.hpp>

namespace loopcert {

std::optional<StepTime> decode_step_time(const nlohmann::json& tree, const Problem& problem) {
  const nlohmann::json& system = tree.at("system");
  if (system.contains("dt")) return StepTime{system["dt"].get<double>()};
  if (const DataLayout& data = problem.data; data.period > 0)
    return StepTime{data.period, data.time.unit.empty() ? "s" : data.time.unit};
  if (problem.baseline)
    if (const auto dt = problem.baseline->values.find("dt"); dt != problem.baseline->values.end())
      return StepTime{dt->second(0, 0)};
  return std::nullopt;
}

}  // namespace loopcert
