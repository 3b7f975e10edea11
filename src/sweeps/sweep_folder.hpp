// Which files of a sweep's folder hold results.
#pragma once

#include <filesystem>
#include <vector>

#include "sweeps/sweep_run.hpp"

namespace loopcert {

std::filesystem::path store_path(const std::filesystem::path& folder);
// shard-2-of-8.<extension>
std::filesystem::path shard_path(const std::filesystem::path& folder, const Shard& shard,
                                 const char* extension);

// The stores of shards that are there, sorted; without those among `count` shards.
std::vector<std::filesystem::path> shard_stores(const std::filesystem::path& folder,
                                                Index count = 0);

bool has_results(const std::filesystem::path& store);

// Throws InputError, which says --resume, when the store has results.
void refuse_results(const std::filesystem::path& store);

}  // namespace loopcert
