// Logs of any length: what was measured and the inputs, for plants that are identified.
#pragma once

#include <vector>

#include "loopcert/core/types.hpp"

namespace loopcert {

struct LogEpisode {
  Matrix y;         // (steps + 1) x n_y
  Matrix u;         // steps x n_u
  Index place = 0;  // in the files, from 1; 0: its place among the logs

  Index steps() const { return u.rows(); }
};

using Logs = std::vector<LogEpisode>;

}  // namespace loopcert
