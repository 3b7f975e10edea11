#include "core/team.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace loopcert {

struct Team::State {
  // One loop: `round` changes when it starts, `busy` counts the helpers that are still in it.
  std::atomic<unsigned> round{0};
  std::atomic<int> busy{0};
  std::atomic<bool> over{false};
  std::atomic<Index> next{0};
  Index count = 0;
  const std::function<void(Index)>* job = nullptr;
  std::mutex mutex;
  Index failed = 0;  // smallest failing index, so that the error does not depend on timing
  std::exception_ptr error;
  std::vector<std::jthread> helpers;  // last: they end before the rest does

  void work() {
    for (Index i = next++; i < count; i = next++) {
      try {
        (*job)(i);
      } catch (...) {
        const std::scoped_lock lock(mutex);
        if (!error || i < failed) {
          failed = i;
          error = std::current_exception();
        }
      }
    }
  }

  void help() {
    for (unsigned seen = 0;; ++seen) {
      round.wait(seen);
      if (over) return;
      work();
      if (--busy == 0) busy.notify_one();
    }
  }
};

Team::Team(int threads) : threads_(std::max(1, threads)) {
  if (threads_ == 1) return;
  state_ = std::make_unique<State>();
  state_->helpers.reserve(static_cast<size_t>(threads_ - 1));
  try {
    for (int i = 1; i < threads_; ++i)
      state_->helpers.emplace_back([state = state_.get()] { state->help(); });
  } catch (const std::exception&) {
    // No room for another thread: those that are there do all of the work.
    threads_ = 1 + static_cast<int>(state_->helpers.size());
  }
}

Team::~Team() {
  if (!state_) return;
  state_->over = true;
  ++state_->round;
  state_->round.notify_all();
}

void Team::run(Index count, const std::function<void(Index)>& job) {
  State& state = *state_;
  state.count = count;
  state.job = &job;
  state.next = 0;
  state.error = nullptr;
  state.busy = threads_ - 1;
  ++state.round;
  state.round.notify_all();
  state.work();
  for (int busy = state.busy; busy > 0; busy = state.busy) state.busy.wait(busy);
  if (state.error) std::rethrow_exception(std::exchange(state.error, nullptr));
}

}  // namespace loopcert
