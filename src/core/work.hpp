// Long work tells how far it is to whoever asked in the thread that began it: nobody, by default.
//   Work work("simulate", n);
//   parallel_for(n, threads, [&](Index i) { …; work.add(); });
#pragma once

#include <atomic>
#include <string>
#include <string_view>

#include "loopcert/core/types.hpp"

namespace loopcert {

class WorkWatcher {
 public:
  virtual ~WorkWatcher() = default;
  // From any thread. `total` is 0 where nobody knows how much there is; after work nothing: "", 0,
  // 0.
  virtual void show(std::string_view what, Index done, Index total) = 0;
};

// Tells `watcher` about the work of this thread as long as it lives.
class WatchWork {
 public:
  explicit WatchWork(WorkWatcher* watcher);
  ~WatchWork();
  WatchWork(const WatchWork&) = delete;
  WatchWork& operator=(const WatchWork&) = delete;

 private:
  WorkWatcher* before_;
};

// Work within work says nothing.
class Work {
 public:
  explicit Work(std::string what, Index total = 0);
  ~Work();
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

  void add(Index more = 1);  // done; by any thread

 private:
  std::string what_;
  Index total_;
  WorkWatcher* watcher_;
  std::atomic<Index> done_ = 0;
};

}  // namespace loopcert
