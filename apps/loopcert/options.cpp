#include "options.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>

#include "failure.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/core/memory.hpp"
#include "loopcert/core/text.hpp"
#include "loopcert/data/formats.hpp"
#include "loopcert/data/law.hpp"

namespace loopcert::app {
namespace {

// The whole text as one number, or nothing.
template <class Number>
std::optional<Number> parse(const std::string& text) {
  Number value{};
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end) return std::nullopt;
  return value;
}

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

CLI::Option* add_count(CLI::App& command, const std::string& name, std::optional<Index>& count,
                       const std::string& help) {
  const auto set = [name, &count](const std::string& text) {
    const auto value = parse<Index>(text);
    if (!value || *value < 1) fail(name, text, "a whole number, at least 1");
    count = *value;
  };
  return command.add_option_function<std::string>(name, set, help)->type_name("N");
}

CLI::Option* add_seed(CLI::App& command, std::uint64_t& seed) {
  const auto set = [&seed](const std::string& text) {
    const auto value = parse<std::uint64_t>(text);
    if (!value) fail("--seed", text, "a whole number from 0 to 18446744073709551615");
    seed = *value;
  };
  return command
      .add_option_function<std::string>("--seed", set, "seed of what is drawn (default 0)")
      ->type_name("S");
}

double positive_number(const std::string& option, const std::string& text,
                       const std::string& otherwise) {
  const auto value = parse<double>(text);
  if (!value || !(*value > 0) || !std::isfinite(*value))
    fail(option, text, "a positive number" + otherwise);
  return *value;
}

void check_array_extension(const std::string& option, const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  std::vector<std::string> known;
  for (const ArrayFormat& format : array_formats()) {
    if (format.extension == extension) return;
    known.push_back(format.extension);
  }
  fail(option, path.string(), "a name that ends in " + join(known, " or "));
}

void add_data_options(CLI::App& command, DataOptions& options) {
  CLI::Option* data =
      add_path(command, "--data", options.data, "disturbance trajectories, n x d_w (.csv, .npy)");
  CLI::Option* rollouts =
      command.add_option("--rollouts", options.rollouts, "logged episodes: states, then inputs")
          ->type_name("X U")
          ->expected(2);
  CLI::Option* sample =
      add_count(command, "--sample", options.sample, "draw N trajectories from the problem's law");
  data->excludes(rollouts)->excludes(sample);
  rollouts->excludes(sample);
  CLI::Option* seed = add_seed(command, options.seed)->needs(sample);
  for (CLI::Option* option : {data, rollouts, sample, seed})
    option->group("Trajectories (--data, --rollouts or --sample)");
}

Disturbances sample_from_law(const Problem& problem, const std::string& problem_path,
                             std::uint64_t seed, SamplePurpose purpose, Index n) {
  if (!problem.disturbance.law)
    throw_input_error(problem_path + ": disturbance.covariance", "nothing",
                      "the law to sample from");
  const double bytes = 8.0 * static_cast<double>(n) * static_cast<double>(problem.sizes().d_w());
  check_memory(std::to_string(n) + " trajectories", 3 * bytes, memory_limit());  // with work space
  return sample_disturbances(*problem.disturbance.law, Stream{seed, purpose}, n);
}

Disturbances load_data(const DataOptions& options, const Problem& problem,
                       const std::string& problem_path, SamplePurpose purpose) {
  if (!options.data.empty()) return read_disturbances(options.data, problem.sizes());
  if (options.sample)
    return sample_from_law(problem, problem_path, options.seed, purpose, *options.sample);
  if (options.rollouts.empty()) return {};
  const Rollouts rollouts =
      read_rollouts(options.rollouts.at(0), options.rollouts.at(1), problem.sizes());
  return reconstruct_disturbances(problem.system.plant, rollouts);
}

}  // namespace loopcert::app
