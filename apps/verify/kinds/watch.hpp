// The record of a watch: its evidence against a claim, again, from the costs.
#pragma once

#include <filesystem>

#include "formats/files.hpp"

namespace verify {

bool is_watch(const json& tree);

struct WatchVerdict {
  std::string what;     // "claim rejected at cost 17", or that it stands
  double evidence = 0;  // at least this at the cost that rejected; at most this where none did
  std::vector<std::string> lines;
};
// Raises `bits` as it takes.
WatchVerdict check_watch(const json& tree, const Table& costs);

}  // namespace verify
