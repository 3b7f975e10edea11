#include "cli/options.hpp"

#include <algorithm>
#include <cmath>

#include "cli/failure.hpp"
#include "core/number_from.hpp"
#include "core/text.hpp"
#include "data/formats.hpp"
#include "device/device.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert::app {
namespace {

[[noreturn]] void fail(const std::string& option, const std::string& text,
                       const std::string& expected) {
  throw UsageError(option + ": found '" + text + "', expected " + expected);
}

}  // namespace

CLI::Option* add_path(CLI::App& command, const std::string& name, std::string& path,
                      const std::string& help) {
  const auto set = [name, &path](const std::string& text) {
    if (text.empty()) fail(name, text, "a name");
    path = text;
  };
  return command.add_option_function<std::string>(name, set, help)->type_name("FILE");
}

CLI::Option* add_argument(CLI::App& command, const std::string& name, std::string& path,
                          const std::string& help) {
  return add_path(command, name, path, help)->required()->type_name("");
}

CLI::Option* add_problem(CLI::App& command, std::string& problem) {
  return add_argument(command, "PROBLEM", problem, "problem file (.toml or .json)");
}

CLI::Option* add_out_folder(CLI::App& command, std::string& out, const std::string& help) {
  return add_path(command, "--out", out, help)->type_name("DIR");
}

CLI::Option* add_json(CLI::App& command, bool& json, const std::string& help) {
  return command.add_flag("--json", json, help);
}

CLI::Option* add_quiet(CLI::App& command, bool& quiet) {
  return command.add_flag("--quiet", quiet, "print no table and no progress");
}

CLI::Option* add_verbose(CLI::App& command, bool& verbose) {
  return command.add_flag("--verbose", verbose, "print details, too");
}

CLI::Option* add_device(CLI::App& command) {
  const auto set = [](const std::string& name) {
    try {
      choose_device(usable_device(name, "--device"));
    } catch (const InputError& error) {
      throw UsageError(error.what());
    }
  };
  return command
      .add_option_function<std::string>(
          "--device", set,
          "where to learn: cpu, gpu, or auto (default): a GPU where there is one and it pays")
      ->type_name("auto|cpu|gpu");
}

CLI::Option* add_count(CLI::App& command, const std::string& name, std::optional<Index>& count,
                       const std::string& help) {
  const auto set = [name, &count](const std::string& text) {
    const auto value = number_from<Index>(text);
    if (!value || *value < 1) fail(name, text, "a whole number, at least 1");
    count = *value;
  };
  return command.add_option_function<std::string>(name, set, help)->type_name("N");
}

CLI::Option* add_seed(CLI::App& command, std::uint64_t& seed, const std::string& name,
                      const std::string& help) {
  const auto set = [&seed, name](const std::string& text) {
    const auto value = number_from<std::uint64_t>(text);
    if (!value) fail(name, text, "a whole number from 0 to 18446744073709551615");
    seed = *value;
  };
  return command.add_option_function<std::string>(name, set, help)->type_name("S");
}

double positive_number(const std::string& option, const std::string& text,
                       const std::string& otherwise) {
  const auto value = number_from<double>(text);
  if (!value || !(*value > 0) || !std::isfinite(*value))
    fail(option, text, "a positive number" + otherwise);
  return *value;
}

void check_array_extension(const std::string& option, const std::filesystem::path& path) {
  const std::vector<std::string> known = written_extensions();
  if (std::find(known.begin(), known.end(), lower_extension(path)) != known.end()) return;
  fail(option, path.string(), "a name that ends in " + join(known, " or "));
}

std::string read_list() {
  std::vector<std::string> extensions;
  for (const ArrayFormat& format : array_formats()) extensions.push_back(format.extension);
  return join(extensions);
}

std::string written_list() { return join(written_extensions()); }

std::vector<CLI::Option*> add_file_options(CLI::App& command, DataOptions& options) {
  CLI::Option* data = command
                          .add_option("--data", options.data,
                                      "disturbance trajectories, n x d_w, from one file or several "
                                      "(" +
                                          read_list() + ")")
                          ->type_name("FILE...");
  CLI::Option* rollouts =
      command
          .add_option("--rollouts", options.rollouts,
                      "logged episodes: files with states and inputs, or files with states, each "
                      "followed by one with inputs")
          ->type_name("FILE...");
  data->excludes(rollouts);
  for (CLI::Option* option : {data, rollouts}) {
    option->expected(1, CLI::detail::expected_max_vector_size);
    option->group("Trajectories (--data or --rollouts)");
  }
  return {data, rollouts};
}

void add_data_options(CLI::App& command, DataOptions& options) {
  std::vector<CLI::Option*> all = add_file_options(command, options);
  CLI::Option* sample =
      add_count(command, "--sample", options.sample, "draw N trajectories from the problem's law");
  for (CLI::Option* files : all) files->excludes(sample);
  all.push_back(sample);
  all.push_back(add_seed(command, options.seed)->needs(sample));
  for (CLI::Option* option : all) option->group("Trajectories (--data, --rollouts or --sample)");
}

}  // namespace loopcert::app
