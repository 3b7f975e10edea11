#include "data/recording.hpp"

#include "data/fingerprint.hpp"

namespace loopcert {

Recording recording_of(const Disturbances& data, const Plant& plant) {
  Recording recording{hashes_of(data), row_fingerprints(data), {}};
  if (data.n() == 0) return recording;
  recording.traces["disturbances"] = disturbance_traces(data, plant);
  if (data.from_logs()) recording.traces["logs"] = log_traces(data.logs, plant.sizes());
  return recording;
}

}  // namespace loopcert
