// Runs a sweep in a folder:
//   sweep.sqlite           the results
//   shard-i-of-N.sqlite    results of one process among N, until they are merged
//   results.csv, .json     every result in the order of the jobs, once all are there
//   *.lock                 empty; held by the processes that work here
//
// Under a launcher (mpirun) every rank is a shard. The jobs are independent, so the ranks have
// nothing to say to each other and no MPI call is made. Every working shard holds sweep.lock
// shared. Rank 0 wants it exclusive when its own shard is done, and gets it when the other ranks
// have ended, well or not; it then computes what is still missing and writes the results. A rank
// that starts after that finds nothing left to do. Files of one process are read by another only
// when that one has ended, so a folder shared between machines will do.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>

#include "loopcert/core/types.hpp"
#include "sweeps/sweep.hpp"
#include "sweeps/sweep_failures.hpp"

namespace loopcert {

// Jobs number index - 1, index - 1 + count, …
struct Shard {
  Index index = 1;  // from 1
  Index count = 1;
};

struct SweepRunOptions {
  std::filesystem::path folder;  // made when it is missing
  int threads = 1;
  bool resume = false;  // keep the results that are there, compute the others
  bool merge = false;   // collect the shards; what is missing is an error unless `resume`
  std::optional<Shard> shard;
  bool launched = false;  // the shard is a rank of a launcher
  // Both are called from the thread that called run_sweep.
  std::function<bool()> interrupted;  // true: stop and keep what is finished
  std::function<void(Index done, Index total, Index computed)> progress;
};

struct SweepOutcome {
  Index total = 0;                      // jobs of the sweep, or of the shard
  Index done = 0;                       // of these, with a result
  Index computed = 0;                   // by this call
  Index failed = 0;                     // results with status "failed"; counted when exported
  std::vector<FailureReason> failures;  // why, the most frequent first
  bool exported = false;
  bool interrupted = false;
};

// Throws InputError (results are there and neither `resume` nor `merge`; another process works
// here; a damaged store; missing jobs in a merge) and OutputError.
SweepOutcome run_sweep(const SweepJobs& jobs, const SweepRunOptions& options);

}  // namespace loopcert
