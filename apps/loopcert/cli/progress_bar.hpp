// One rewritten line on standard error, only where a person sees it:
//   [##########..........]  350/700  41.3/s  0:08 left
#pragma once

#include <chrono>

#include "loopcert/core/types.hpp"

namespace loopcert::app {

class ProgressBar {
 public:
  explicit ProgressBar(bool quiet);
  ~ProgressBar();  // wipes the line
  // `computed`: how many of those done were computed since the start; the rest was there before.
  void show(Index done, Index total, Index computed);

 private:
  using Clock = std::chrono::steady_clock;
  bool visible_;
  bool shown_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_{};
};

}  // namespace loopcert::app
