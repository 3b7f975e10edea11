#include "sweep_workers.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

#include "core/memory.hpp"

namespace loopcert {
namespace {

// From the workers to the one writer.
class ResultQueue {
 public:
  explicit ResultQueue(size_t workers) : working_(workers) {}

  void push(StoredResult result) {
    const std::scoped_lock lock(mutex_);
    ready_.push_back(std::move(result));
    changed_.notify_one();
  }

  // A worker ends, with the exception that ended it if there is one.
  void leave(std::exception_ptr error) {
    const std::scoped_lock lock(mutex_);
    if (!error_) error_ = std::move(error);
    --working_;
    changed_.notify_one();
  }

  // What came since the last call; returns also with nothing now and then, to look for Ctrl-C.
  std::vector<StoredResult> take() {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::milliseconds(100),
                      [&] { return !ready_.empty() || working_ == 0 || error_; });
    return std::exchange(ready_, {});
  }

  bool ended() {
    const std::scoped_lock lock(mutex_);
    return working_ == 0 && ready_.empty();
  }

  std::exception_ptr error() {
    const std::scoped_lock lock(mutex_);
    return error_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<StoredResult> ready_;
  std::exception_ptr error_;
  size_t working_;
};

void check_memory_of(const SweepJobs& jobs, const std::vector<size_t>& missing, int threads) {
  double largest = 0;
  for (const size_t i : missing) {
    const SweepJob& job = jobs.jobs.at(i);
    const Problem& problem = jobs.variants.at(job.variant).problem;
    const auto rows = static_cast<double>(job.n) + static_cast<double>(jobs.test);
    largest = std::max(largest, predicted_memory(problem.sizes(), true) +
                                    3 * 8 * rows * static_cast<double>(problem.sizes().d_w()));
  }
  check_memory("sweep with " + std::to_string(threads) + " jobs at a time", threads * largest,
               memory_limit());
}

// Jobs that one worker takes at a time: of one problem and seed, and not so many that another
// worker has nothing left to do.
using Stretch = std::vector<size_t>;
std::vector<Stretch> cut(const SweepJobs& jobs, const std::vector<size_t>& numbers,
                         size_t workers) {
  const size_t most = std::max<size_t>(1, numbers.size() / (8 * workers));
  std::vector<Stretch> stretches;
  const auto shares_work = [&](size_t a, size_t b) {
    const SweepJob &first = jobs.jobs.at(a), &second = jobs.jobs.at(b);
    return first.seed == second.seed &&
           jobs.variants.at(first.variant).base == jobs.variants.at(second.variant).base;
  };
  for (const size_t number : numbers) {
    if (stretches.empty() || stretches.back().size() == most ||
        !shares_work(stretches.back().back(), number))
      stretches.emplace_back();
    stretches.back().push_back(number);
  }
  return stretches;
}

}  // namespace

Index compute_jobs(const SweepJobs& jobs, const std::vector<size_t>& missing, int threads,
                   SweepStore& store, const WorkCallbacks& callbacks) {
  if (missing.empty()) return 0;
  const size_t workers = std::min(static_cast<size_t>(threads), missing.size());
  check_memory_of(jobs, missing, static_cast<int>(workers));
  ResultQueue queue(workers);
  std::stop_source stop;
  const std::vector<Stretch> stretches = cut(jobs, by_shared_work(jobs, missing), workers);
  std::atomic<size_t> next{0};
  const auto work = [&] {
    std::exception_ptr error;
    try {
      JobRunner runner(jobs);
      for (size_t at = next++; at < stretches.size(); at = next++)
        for (const size_t number : stretches[at]) {
          if (stop.stop_requested()) break;
          const SweepJob& job = jobs.jobs.at(number);
          if (const auto record = runner.run(job, stop.get_token()))
            queue.push({job.key, job_text(jobs, job), record->dump()});
        }
    } catch (...) {
      error = std::current_exception();
      stop.request_stop();
    }
    queue.leave(error);
  };
  Index computed = 0;
  {
    std::vector<std::jthread> pool;
    // Declared after the pool, so that it runs first: threads are joined only when told to stop.
    struct StopAtEnd {
      std::stop_source& stop;
      ~StopAtEnd() { stop.request_stop(); }
    } const stop_at_end{stop};
    pool.reserve(workers);
    try {
      for (size_t i = 0; i < workers; ++i) pool.emplace_back(work);
    } catch (const std::system_error&) {
      if (pool.empty()) throw;
      // No room for another thread: those that are there do all of the work.
      for (size_t i = pool.size(); i < workers; ++i) queue.leave(nullptr);
    }
    // A commit waits for the disk, and takes along what finished during the last one.
    while (!queue.ended()) {
      const std::vector<StoredResult> results = queue.take();
      store.add(results);
      computed += static_cast<Index>(results.size());
      if (callbacks.progress && !results.empty()) callbacks.progress(computed);
      if (callbacks.interrupted && callbacks.interrupted()) stop.request_stop();
    }
  }
  if (queue.error()) std::rethrow_exception(queue.error());
  return computed;
}

}  // namespace loopcert
