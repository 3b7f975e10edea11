// results.csv and results.json: every record of a complete sweep in the order of its jobs.
#pragma once

#include <filesystem>

#include "sweeps/sweep.hpp"
#include "sweeps/sweep_failures.hpp"
#include "sweeps/sweep_store.hpp"

namespace loopcert {

// Returns why records failed, and how many. Throws InputError on a record that is none of
// ours, and OutputError.
std::vector<FailureReason> export_results(const SweepJobs& jobs, const SweepStore& store,
                                          const std::filesystem::path& store_path);

}  // namespace loopcert
