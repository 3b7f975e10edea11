// Options that several subcommands share.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "loopcert/core/types.hpp"
#include "loopcert/data/disturbances.hpp"
#include "loopcert/problem/problem.hpp"

namespace loopcert::app {

// The options of add_data_options in a SYNOPSIS.
inline constexpr const char* data_synopsis =
    "(--data~FILE | --rollouts~X~U | --sample~N [--seed~S])";

// A file or folder, by a name that is not empty.
CLI::Option* add_path(CLI::App& command, const std::string& name, std::string& path,
                      const std::string& help);

// Numbers are read strictly: decimal digits only, no sign for counts and seeds, nothing after them.
CLI::Option* add_count(CLI::App& command, const std::string& name, std::optional<Index>& count,
                       const std::string& help);
CLI::Option* add_seed(CLI::App& command, std::uint64_t& seed);
double positive_number(const std::string& option, const std::string& text,
                       const std::string& otherwise = "");  // what else it could be: " or cv"

// The trajectory file that --out or --paths names; throws UsageError when no format has its
// extension, before any work is done.
void check_array_extension(const std::string& option, const std::filesystem::path& path);

// Where trajectories come from: --data, --rollouts or --sample with --seed.
struct DataOptions {
  std::string data;
  std::vector<std::string> rollouts;  // states, inputs
  std::optional<Index> sample;
  std::uint64_t seed = 0;

  bool given() const { return !data.empty() || !rollouts.empty() || sample.has_value(); }
};

void add_data_options(CLI::App& command, DataOptions& options);

// What the sampled numbers are for. Different purposes draw different numbers from one seed.
enum SamplePurpose : std::uint64_t { sample_to_learn = 0, sample_to_simulate = 1 };

Disturbances sample_from_law(const Problem& problem, const std::string& problem_path,
                             std::uint64_t seed, SamplePurpose purpose, Index n);

// The trajectories that the options name; n = 0 when they name none.
Disturbances load_data(const DataOptions& options, const Problem& problem,
                       const std::string& problem_path, SamplePurpose purpose);

}  // namespace loopcert::app
