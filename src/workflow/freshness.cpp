#include "workflow/freshness.hpp"

#include <fmt/format.h>

#include <set>

#include "data/fingerprint.hpp"
#include "data/hash.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

void add_known(std::set<Index>& rows, const std::vector<Index>& known) {
  for (size_t i = 0; i < known.size(); ++i)
    if (known[i] >= 0) rows.insert(static_cast<Index>(i));
}

// Of the opposite sign: what a linear controller costs on it is the same.
Disturbances mirrored(Disturbances data) {
  data.w = -data.w;
  data.logs.x = -data.logs.x;
  data.logs.u = -data.logs.u;
  return data;
}

// Rows that the controller has seen, whole or in part, as far as its file says.
std::set<Index> seen_as_they_are(const Controller& controller, const Disturbances& data) {
  const std::vector<Index> equal = shared_rows(row_fingerprints(data), controller.learned_from);
  std::set<Index> rows(equal.begin(), equal.end());
  for (const auto& [of, traces] : controller.recordings) {
    if (of == "disturbances") add_known(rows, known_disturbances(traces, data));
    if (of == "logs" && data.from_logs()) add_known(rows, known_logs(traces, data.logs));
  }
  return rows;
}

std::set<Index> seen_rows(const Controller& controller, const Disturbances& data) {
  std::set<Index> rows = seen_as_they_are(controller, data);
  rows.merge(seen_as_they_are(controller, mirrored(data)));
  return rows;
}

}  // namespace

void remember(Controller& controller, const Recording& seen) {
  controller.learned_from = seen.fingerprints;
  controller.recordings = seen.traces;
}

Index trajectories_seen(const Controller& controller, const Disturbances& data) {
  return static_cast<Index>(seen_rows(controller, data).size());
}

void check_fresh(const Controller& controller, const Disturbances& data, const std::string& name) {
  // Files of versions that did not name the rows.
  const auto whole = controller.provenance.find("data_sha256");
  if (controller.learned_from.empty() && whole != controller.provenance.end() &&
      whole->second == data_hash(data))
    throw_input_error("data", "exactly the trajectories that " + name + " was learned from",
                      "fresh ones");
  // Their fingerprints are of disturbances as one build computed them.
  if (data.from_logs() && !controller.learned_from.empty() && controller.recordings.empty())
    throw InputError(name +
                     ": was learned by an earlier version, whose fingerprints do not cover logs: "
                     "learn it again, or certify it on disturbances (--data)");
  const std::set<Index> rows = seen_rows(controller, data);
  if (!rows.empty())
    throw_input_error("data",
                      fmt::format("{} of {} trajectories that {} was learned from, whole or in "
                                  "part, the first is trajectory {}",
                                  rows.size(), data.n(), name, *rows.begin() + 1),
                      "fresh ones");
}

}  // namespace loopcert
