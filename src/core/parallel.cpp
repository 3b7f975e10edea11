#include "loopcert/core/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace loopcert {

void parallel_for(Index count, int threads, const std::function<void(Index)>& job) {
  const Index workers = std::min<Index>(threads, count);
  if (workers <= 1) {
    for (Index i = 0; i < count; ++i) job(i);
    return;
  }
  std::atomic<Index> next{0};
  std::mutex mutex;
  Index failed = count;  // smallest failing index, so that the error does not depend on timing
  std::exception_ptr error;
  const auto work = [&] {
    for (Index i = next++; i < count; i = next++) {
      try {
        job(i);
      } catch (...) {
        const std::scoped_lock lock(mutex);
        if (i < failed) {
          failed = i;
          error = std::current_exception();
        }
      }
    }
  };
  {
    std::vector<std::jthread> pool;
    for (Index i = 1; i < workers; ++i) pool.emplace_back(work);
    work();
  }
  if (error) std::rethrow_exception(error);
}

int default_threads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

}  // namespace loopcert
