#include "loopcert/experiment/freshness.hpp"

#include <fmt/format.h>

#include "loopcert/core/error.hpp"
#include "loopcert/data/fingerprint.hpp"
#include "loopcert/experiment/certificate_files.hpp"

namespace loopcert {

Index trajectories_seen(const Controller& controller, const Disturbances& data) {
  return static_cast<Index>(shared_rows(row_fingerprints(data), controller.learned_from).size());
}

void check_fresh(const Controller& controller, const Disturbances& data, const std::string& name) {
  // Files of versions that did not name the rows.
  const auto whole = controller.provenance.find("data_sha256");
  if (controller.learned_from.empty() && whole != controller.provenance.end() &&
      whole->second == data_hash(data))
    throw_input_error("data", "the very trajectories that " + name + " was learned from",
                      "fresh ones");
  const auto rows = shared_rows(row_fingerprints(data), controller.learned_from);
  if (!rows.empty())
    throw_input_error("data",
                      fmt::format("{} of {} trajectories that {} was learned from, the first is "
                                  "trajectory {}",
                                  rows.size(), data.n(), name, rows[0] + 1),
                      "fresh ones");
}

}  // namespace loopcert
