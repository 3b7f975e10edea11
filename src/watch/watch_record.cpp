#include "watch/watch_record.hpp"

#include <nlohmann/json.hpp>

namespace loopcert {

nlohmann::json record_to_json(const WatchRecord& record) {
  using nlohmann::json;
  const WatchState& s = record.state;
  const auto& certified = record.certified;
  return {{"format", "loopcert watch 1"},
          {"status", s.rejected_at ? "rejected" : "stands"},
          {"claim", s.claim.mean},
          {"functional", certified && certified->violation ? "violation" : "cost"},
          {"kind", certified ? json(certified->kind) : json()},
          {"confidence", certified ? json(certified->confidence) : json()},
          {"alpha", s.claim.alpha},
          {"false_alarms", record.false_alarms()},
          {"degrees", s.claim.degrees},
          {"n", s.n},
          {"evidence", s.evidence},
          {"largest", s.largest},
          {"rejected_at", s.rejected_at ? json(*s.rejected_at) : json()}};
}

nlohmann::json record_to_json(const PlantWatch& watch) {
  using nlohmann::json;
  const PlantWatchState& s = watch.state();
  return {{"format", "loopcert plant-watch 1"},
          {"status", s.rejected_at ? "rejected" : "stands"},
          {"alpha", watch.claim().alpha},
          {"delta", watch.claim().delta},
          {"false_alarms", watch.claim().alpha + watch.claim().delta},
          {"n", s.n},
          {"evidence", s.evidence},
          {"largest", s.largest},
          {"rejected_at", s.rejected_at ? json(*s.rejected_at) : json()},
          {"cause", s.cause.empty() ? json() : json(s.cause)},
          {"certificate", watch.claim().certificate}};
}

}  // namespace loopcert
