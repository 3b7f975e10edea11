#include "core/parallel.hpp"

#include <algorithm>
#include <thread>

#include "core/team.hpp"

namespace loopcert {

void parallel_for(Index count, int threads, const std::function<void(Index)>& job) {
  Team team(static_cast<int>(std::min<Index>(threads, count)));
  team.for_each(count, job);
}

int default_threads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

}  // namespace loopcert
