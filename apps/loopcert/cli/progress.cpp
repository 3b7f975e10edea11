#include "cli/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace loopcert::app {
namespace {

std::string time_text(double seconds) {
  const auto s = static_cast<long long>(seconds + 0.5);
  return s < 3600 ? fmt::format("{}:{:02}", s / 60, s % 60)
                  : fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
}

}  // namespace

std::atomic<int> Progress::alive = 0;

Progress::Progress(bool quiet, std::string what)
    : visible_(first_ && !quiet && ::isatty(STDERR_FILENO) == 1), what_(std::move(what)) {
  if (visible_) watcher_ = std::thread([this] { watch(); });
}

Progress::~Progress() {
  --alive;
  if (!visible_) return;
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  ended_.notify_all();
  watcher_.join();
  if (shown_) std::fputs("\r\033[K", stderr);
}

void Progress::show(std::string_view what, Index done, Index total, Index computed) {
  if (!visible_) return;
  const std::lock_guard lock(mutex_);
  if (what.empty()) what = "working";  // nothing is counted now
  if (what != what_) {
    what_ = what;
    phase_ = Clock::now();
  }
  done_ = done;
  total_ = total;
  computed_ = computed;
}

// A thread of its own, so that the time goes on where the work says nothing.
void Progress::watch() {
  std::unique_lock lock(mutex_);
  const auto over = [this] { return over_; };
  if (ended_.wait_for(lock, std::chrono::seconds(2), over)) return;
  do print_line();
  while (!ended_.wait_for(lock, std::chrono::milliseconds(200), over));
}

void Progress::print_line() {
  const auto since = [](Clock::time_point then) {
    return std::chrono::duration<double>(Clock::now() - then).count();
  };
  std::string line = what_;
  if (total_ > 0) {
    constexpr Index width = 20;
    const auto filled = static_cast<size_t>(width * std::min(done_, total_) / total_);
    const double rate = static_cast<double>(computed_) / std::max(since(phase_), 1e-3);
    line += fmt::format("{}[{}{}]  {}/{}", what_.empty() ? "" : " ", std::string(filled, '#'),
                        std::string(width - filled, '.'), done_, total_);
    if (computed_ > 0)
      line += fmt::format("  {:.3g}/s  {} left", rate,
                          time_text(static_cast<double>(total_ - done_) / rate));
  } else {
    if (done_ > 0) line += fmt::format("  {} done", done_);
    line += "  " + time_text(since(start_));
  }
  shown_ = true;
  std::fputs(("\r\033[K" + line).c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace loopcert::app
