// The result of a watch, as `loopcert watch --json` prints it and the checker reads it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "loopcert/watch/watch.hpp"
#include "watch/claim.hpp"
#include "watch/plant_watch.hpp"

namespace loopcert {

struct WatchRecord {
  WatchState state;
  std::optional<CertifiedClaim> certified = std::nullopt;  // where the claim comes from

  // alpha, and what the certificate may be wrong with.
  double false_alarms() const {
    return state.claim.alpha + (certified ? 1 - certified->confidence : 0);
  }
};

nlohmann::json record_to_json(const WatchRecord& record);
nlohmann::json record_to_json(const PlantWatch& watch);

}  // namespace loopcert
