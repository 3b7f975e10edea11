#include "sweeps/sweep_run.hpp"

#include <fmt/format.h>

#include <chrono>
#include <set>
#include <thread>

#include "core/file.hpp"
#include "core/text.hpp"
#include "folder_lock.hpp"
#include "loopcert/core/error.hpp"
#include "sweep_export.hpp"
#include "sweep_folder.hpp"
#include "sweep_workers.hpp"
#include "sweeps/sweep_store.hpp"

namespace loopcert {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_busy(const fs::path& path) {
  throw InputError(path.string() +
                   ": another sweep is running in this folder: wait for it or stop it");
}

// Waits for a lock that another process holds; false when interrupted.
bool wait_for(FolderLock& lock, LockMode mode, const SweepRunOptions& options) {
  while (!lock.take(mode)) {
    if (options.interrupted && options.interrupted()) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return true;
}

class FolderSweep {
 public:
  FolderSweep(const SweepJobs& jobs, const SweepRunOptions& options)
      : jobs_(jobs), options_(options) {}

  // Everything, and the results.
  SweepOutcome whole(bool resume);
  // The jobs of one shard into its own store.
  SweepOutcome part(const Shard& shard);

 private:
  void absorb_shards(SweepStore& store, const std::vector<size_t>& missing) const;
  void require_complete(const std::vector<size_t>& missing) const;
  std::vector<size_t> without(const std::vector<size_t>& numbers,
                              const std::set<std::string>& keys) const;
  SweepOutcome compute(const std::vector<size_t>& numbers, const std::vector<size_t>& missing,
                       SweepStore& store) const;

  const SweepJobs& jobs_;
  const SweepRunOptions& options_;
};

std::vector<size_t> FolderSweep::without(const std::vector<size_t>& numbers,
                                         const std::set<std::string>& keys) const {
  std::vector<size_t> missing;
  for (const size_t i : numbers)
    if (!keys.contains(jobs_.jobs[i].key)) missing.push_back(i);
  return missing;
}

SweepOutcome FolderSweep::compute(const std::vector<size_t>& numbers,
                                  const std::vector<size_t>& missing, SweepStore& store) const {
  SweepOutcome outcome;
  outcome.total = static_cast<Index>(numbers.size());
  const Index before = outcome.total - static_cast<Index>(missing.size());
  WorkCallbacks callbacks;
  callbacks.interrupted = options_.interrupted;
  callbacks.progress = [&](Index computed) {
    if (options_.progress) options_.progress(before + computed, outcome.total, computed);
  };
  outcome.computed = compute_jobs(jobs_, missing, options_.threads, store, callbacks);
  outcome.done = before + outcome.computed;
  outcome.interrupted = outcome.done < outcome.total;
  return outcome;
}

void FolderSweep::absorb_shards(SweepStore& store, const std::vector<size_t>& missing) const {
  constexpr size_t batch = 1000;
  std::set<std::string> wanted;
  for (const size_t i : missing) wanted.insert(jobs_.jobs[i].key);
  for (const fs::path& path : shard_stores(options_.folder)) {
    if (!has_results(path)) continue;
    std::vector<StoredResult> results;
    SweepStore(path).for_each([&](StoredResult result) {
      if (!wanted.contains(result.key)) return;
      results.push_back(std::move(result));
      if (results.size() == batch) store.add(std::exchange(results, {}));
    });
    store.add(results);
  }
}

void FolderSweep::require_complete(const std::vector<size_t>& missing) const {
  if (missing.empty()) return;
  constexpr size_t shown = 3;
  std::vector<std::string> names;
  for (const size_t i : missing)
    if (names.size() < shown) names.push_back(job_name(jobs_, jobs_.jobs[i]));
  if (missing.size() > shown) names.push_back("...");
  throw InputError(
      fmt::format("{}: results of {} of {} jobs are missing ({}): --resume computes them",
                  options_.folder.string(), missing.size(), jobs_.jobs.size(), join(names, "; ")));
}

SweepOutcome FolderSweep::whole(bool resume) {
  const fs::path path = store_path(options_.folder);
  if (!resume && !options_.merge) {
    refuse_results(path);
    for (const fs::path& shard : shard_stores(options_.folder)) refuse_results(shard);
  }
  SweepStore store(path);
  std::vector<size_t> all;
  for (size_t i = 0; i < jobs_.jobs.size(); ++i) all.push_back(i);
  std::vector<size_t> missing = without(all, store.keys());
  if (!missing.empty()) {
    absorb_shards(store, missing);
    missing = without(missing, store.keys());
  }
  if (options_.merge && !resume) require_complete(missing);
  SweepOutcome outcome = compute(all, missing, store);
  if (outcome.interrupted) return outcome;
  outcome.failures = export_results(jobs_, store, path);
  for (const FailureReason& reason : outcome.failures) outcome.failed += reason.count;
  outcome.exported = true;
  return outcome;
}

SweepOutcome FolderSweep::part(const Shard& shard) {
  const fs::path path = shard_path(options_.folder, shard, "sqlite");
  FolderLock lock(shard_path(options_.folder, shard, "lock"));
  if (!lock.take(LockMode::exclusive)) refuse_busy(path);
  // What nobody writes to as long as this process holds its lock.
  std::vector<fs::path> others = shard_stores(options_.folder, shard.count);
  others.push_back(store_path(options_.folder));
  if (!options_.resume) {
    refuse_results(path);
    // Of the ranks only the first looks further: it may be done when another one starts.
    if (shard.index == 1 || !options_.launched)
      for (const fs::path& other : others) refuse_results(other);
  }
  std::vector<size_t> mine;
  for (size_t i = 0; i < jobs_.jobs.size(); ++i)
    if (static_cast<Index>(i) % shard.count == shard.index - 1) mine.push_back(i);
  std::vector<size_t> missing = mine;
  for (const fs::path& other : others)
    if (has_results(other)) missing = without(missing, SweepStore(other).keys());
  if (missing.empty()) {
    const auto count = static_cast<Index>(mine.size());
    SweepOutcome nothing_left;
    nothing_left.total = nothing_left.done = count;
    return nothing_left;
  }
  SweepStore store(path);
  return compute(mine, without(missing, store.keys()), store);
}

}  // namespace

SweepOutcome run_sweep(const SweepJobs& jobs, const SweepRunOptions& options) {
  make_directory(options.folder);
  FolderLock lock(options.folder / "sweep.lock");
  FolderSweep sweep(jobs, options);
  if (!options.shard) {
    if (!lock.take(LockMode::exclusive)) refuse_busy(options.folder);
    return sweep.whole(options.resume);
  }
  if (!options.launched) {
    if (!lock.take(LockMode::shared)) refuse_busy(options.folder);
    return sweep.part(*options.shard);
  }
  // Rank 0 may be at the end already when this rank starts: it then waits for nothing left to do.
  SweepOutcome stopped;
  stopped.interrupted = true;
  if (!wait_for(lock, LockMode::shared, options)) return stopped;
  SweepOutcome mine = sweep.part(*options.shard);
  if (options.shard->index != 1 || mine.interrupted) return mine;
  if (!wait_for(lock, LockMode::exclusive, options)) return stopped;
  SweepOutcome all = sweep.whole(/*resume=*/true);
  all.computed += mine.computed;
  return all;
}

}  // namespace loopcert
