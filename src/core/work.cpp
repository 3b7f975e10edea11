#include "core/work.hpp"

#include <utility>

namespace loopcert {
namespace {

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): of this thread alone
thread_local WorkWatcher* watcher_here = nullptr;

}  // namespace

WatchWork::WatchWork(WorkWatcher* watcher) : before_(std::exchange(watcher_here, watcher)) {}

WatchWork::~WatchWork() { watcher_here = before_; }

Work::Work(std::string what, Index total)
    : what_(std::move(what)), total_(total), watcher_(std::exchange(watcher_here, nullptr)) {
  if (watcher_) watcher_->show(what_, 0, total_);
}

Work::~Work() {
  if (!watcher_) return;
  watcher_here = watcher_;
  watcher_->show("", 0, 0);
}

void Work::add(Index more) {
  if (!watcher_) return;
  const Index done = done_ += more;
  constexpr Index shown = 1000;  // a bar has no room for more
  if (total_ < shown || done / (total_ / shown) != (done - more) / (total_ / shown))
    watcher_->show(what_, done, total_);
}

}  // namespace loopcert
