// The result of a watch, as `loopcert watch --json` prints it and the checker reads it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "loopcert/watch/watch.hpp"
#include "watch/plant_watch.hpp"

namespace loopcert {

struct WatchRecord {
  WatchState state;
  // Of the certificate that made the claim, if one did.
  std::string kind = "";
  std::optional<double> confidence = std::nullopt;
  bool violation = false;

  // alpha, and what the certificate may be wrong with.
  double false_alarms() const { return state.claim.alpha + (1 - confidence.value_or(1)); }
};

nlohmann::json record_to_json(const WatchRecord& record);
nlohmann::json record_to_json(const PlantWatch& watch);

}  // namespace loopcert
