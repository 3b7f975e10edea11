// Threads that wait for work, for loops too short to start threads for. Jobs are claimed as threads
// become free and results land at their own index, so nothing a caller sees depends on the number
// of threads.
#pragma once

#include <functional>
#include <memory>

#include "loopcert/core/types.hpp"

namespace loopcert {

class Team {
 public:
  explicit Team(int threads);  // the caller's included
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  int threads() const { return threads_; }

  // Calls job(0) … job(count - 1), each once. The exception of the smallest failing index is
  // rethrown after all have stopped. A job must not use the team that runs it.
  template <class Job>
  void for_each(Index count, const Job& job) {
    if (threads_ == 1 || count <= 1) {
      for (Index i = 0; i < count; ++i) job(i);
      return;
    }
    run(count, [&job](Index i) { job(i); });
  }

 private:
  void run(Index count, const std::function<void(Index)>& job);

  struct State;
  int threads_ = 1;
  std::unique_ptr<State> state_;  // empty for one thread
};

}  // namespace loopcert
