// A watch on costs as they come in lines: one number each, and maybe a name before the first.
#pragma once

#include <functional>

#include "loopcert/watch/watch.hpp"
#include "watch/line_feed.hpp"

namespace loopcert {

struct CostFeed {
  // Called when every line that is there has been read, after a second at the latest, and at the
  // end; may be empty.
  std::function<void(const WatchState&, Index bytes)> save = nullptr;
  // Called for every cost, with what the watch says after it; may be empty.
  std::function<void(double cost, const WatchState&)> seen = nullptr;
  // Where a file is followed: whether to wait for more. Empty: it ends where it ends.
  std::function<bool()> go_on = nullptr;
  bool whole_lines = false;  // what stands behind the last end of a line does not count yet
};

// Until the claim is rejected or there is nothing more to read. Throws InputError.
void watch_costs(Watch& watch, LineFeed& lines, const CostFeed& feed);

}  // namespace loopcert
