#include "cli/progress_bar.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <string>

namespace loopcert::app {
namespace {

std::string time_text(double seconds) {
  const auto s = static_cast<long long>(seconds + 0.5);
  return s < 3600 ? fmt::format("{}:{:02}", s / 60, s % 60)
                  : fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
}

}  // namespace

ProgressBar::ProgressBar(bool quiet) : visible_(!quiet && ::isatty(STDERR_FILENO) == 1) {}

ProgressBar::~ProgressBar() {
  if (shown_) std::fputs("\r\033[K", stderr);
}

void ProgressBar::show(Index done, Index total, Index computed) {
  const Clock::time_point now = Clock::now();
  if (!visible_ || (done < total && now - last_ < std::chrono::milliseconds(100))) return;
  last_ = now;
  shown_ = true;
  constexpr Index width = 20;
  const auto filled = static_cast<size_t>(width * done / std::max<Index>(total, 1));
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const double rate = static_cast<double>(computed) / std::max(seconds, 1e-3);
  const double left = static_cast<double>(total - done) / std::max(rate, 1e-9);
  std::fputs(fmt::format("\r\033[K[{}{}]  {}/{}  {:.3g}/s  {} left", std::string(filled, '#'),
                         std::string(width - filled, '.'), done, total, rate, time_text(left))
                 .c_str(),
             stderr);
  std::fflush(stderr);
}

}  // namespace loopcert::app
