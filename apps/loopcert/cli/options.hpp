// Options that several subcommands share.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "loopcert/core/types.hpp"

namespace loopcert::app {

// The options of add_data_options in a SYNOPSIS.
inline constexpr const char* data_synopsis =
    "(--data~FILE... | --rollouts~FILE... | --sample~N [--seed~S])";

// A file or folder, by a name that is not empty.
CLI::Option* add_path(CLI::App& command, const std::string& name, std::string& path,
                      const std::string& help);

// An argument that must be there, without a dash before it.
CLI::Option* add_argument(CLI::App& command, const std::string& name, std::string& path,
                          const std::string& help);
CLI::Option* add_problem(CLI::App& command, std::string& problem);

// A folder to write into.
CLI::Option* add_out_folder(CLI::App& command, std::string& out, const std::string& help);

// --json and --quiet: less on standard output.
CLI::Option* add_json(CLI::App& command, bool& json,
                      const std::string& help = "print one JSON object and nothing else");
CLI::Option* add_quiet(CLI::App& command, bool& quiet);
CLI::Option* add_verbose(CLI::App& command, bool& verbose);

// --device: what learning may use, of the whole process. A GPU that is asked for must be there.
inline constexpr const char* device_list = "auto | cpu | gpu";
CLI::Option* add_device(CLI::App& command);

// Numbers are read strictly: decimal digits only, no sign for counts and seeds, nothing after them.
CLI::Option* add_count(CLI::App& command, const std::string& name, std::optional<Index>& count,
                       const std::string& help);
CLI::Option* add_seed(CLI::App& command, std::uint64_t& seed, const std::string& name = "--seed",
                      const std::string& help = "seed of the random draws (default 0)");
double positive_number(const std::string& option, const std::string& text,
                       const std::string& otherwise = "");  // what else it could be: " or cv"

// The trajectory file that --out or --paths names; throws UsageError when no format has its
// extension, before any work is done.
void check_array_extension(const std::string& option, const std::filesystem::path& path);

// Where trajectories come from: --data, --rollouts or --sample with --seed.
struct DataOptions {
  std::vector<std::string> data;
  std::vector<std::string> rollouts;
  std::optional<Index> sample;
  std::uint64_t seed = 0;
  bool quiet = false;  // no progress while they are read

  bool given() const { return !data.empty() || !rollouts.empty() || sample.has_value(); }
};

void add_data_options(CLI::App& command, DataOptions& options);

// The same without --sample: what was recorded, and nothing else. Returns the two options.
std::vector<CLI::Option*> add_file_options(CLI::App& command, DataOptions& options);

// ".csv, .npy, …": what is read, and what is written.
std::string read_list();
std::string written_list();

}  // namespace loopcert::app
