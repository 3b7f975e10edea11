// Watches with what their pages draw.
#pragma once

#include <optional>

#include "watch/plant_watch.hpp"
#include "watch/watch_file.hpp"
#include "watch/watch_record.hpp"
#include "watch/watch_trace.hpp"

namespace loopcert::python {

// A watch, and the certificate that made its claim.
struct CertifiedWatch {
  Watch watch;
  std::optional<CertifiedClaim> certified;
  Index before = 0;  // seen before it was loaded: not drawn
  WatchTrace trace = {};

  WatchFile file() const { return {watch.state(), 0, certified}; }
  WatchRecord record() const { return {watch.state(), certified}; }
  bool update(double cost) {
    const Index seen = watch.state().n;
    const bool rejected = watch.update(cost);
    if (const WatchState& now = watch.state(); now.n > seen) trace.add(now.n, cost, now.evidence);
    return rejected;
  }
};

struct TracedPlantWatch {
  PlantWatch watch;
  Index before = 0;
  WatchTrace trace = {};

  // Without u it is the last measurement of a run.
  bool update(const Vector& y, const std::optional<Vector>& u) {
    const Index seen = watch.state().n;
    const bool rejected = watch.update(y, u.value_or(Vector::Zero(watch.claim().model.n_u)));
    if (const PlantWatchState& now = watch.state(); now.n > seen) trace.add(now.n, 0, now.evidence);
    if (!u) watch.restart();
    return rejected;
  }
};

}  // namespace loopcert::python
