// One rewritten line on standard error, only where a person sees it, from the second second on:
//   limits [##########..........]  350/700  41.3/s  0:08 left
//   certify  0:05
// What a command calls tells how far it is to `show`, or by Work while a WatchWork is alive.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "core/work.hpp"

namespace loopcert::app {

class Progress : public WorkWatcher {
 public:
  // `what` is shown with the time that has passed where nothing counts what is left.
  Progress(bool quiet, std::string what);
  ~Progress() override;  // wipes the line
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // `computed`: how many of those done were computed since the start; the rest was there before.
  void show(std::string_view what, Index done, Index total, Index computed);
  void show(std::string_view what, Index done, Index total) override {
    show(what, done, total, done);
  }

 private:
  using Clock = std::chrono::steady_clock;

  void watch();
  void print_line();

  static std::atomic<int> alive;  // one line: what begins within another is not shown

  bool first_ = alive++ == 0;
  bool visible_;
  std::string what_;
  Clock::time_point start_ = Clock::now(), phase_ = start_;
  Index done_ = 0, total_ = 0, computed_ = 0;
  bool shown_ = false, over_ = false;
  std::mutex mutex_;
  std::condition_variable ended_;
  std::thread watcher_;
};

}  // namespace loopcert::app
