// Jobs of a sweep on threads, results into a store.
#pragma once

#include <functional>
#include <vector>

#include "sweeps/sweep.hpp"
#include "sweeps/sweep_store.hpp"

namespace loopcert {

struct WorkCallbacks {
  std::function<bool()> interrupted;
  std::function<void(Index computed)> progress;
};

// Computes the jobs numbered `missing` and returns how many results it added. The calling thread is
// the only one that touches the store. After an interruption or a failure the results that were
// finished are in the store.
Index compute_jobs(const SweepJobs& jobs, const std::vector<size_t>& missing, int threads,
                   SweepStore& store, const WorkCallbacks& callbacks);

}  // namespace loopcert
