// "csv {...}\n" and the bytes of a log file: its extension, and the [data] section of the problem.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "../targets.hpp"
#include "core/json.hpp"
#include "loopcert/data/trajectory_files.hpp"
#include "loopcert/problem/problem.hpp"
#include "problem/problem_json.hpp"

namespace loopcert::fuzz {
namespace {

// Two states, one input, three steps.
nlohmann::json problem_with(nlohmann::json data) {
  return {{"horizon", 3},
          {"system", {{"A", {{1.0, 0.1}, {0.0, 1.0}}}, {"B", {{0.0}, {0.1}}}}},
          {"cost", {{"Q", {1.0, 1.0}}, {"R", {1.0}}}},
          {"data", std::move(data)}};
}

}  // namespace

void logs(Bytes bytes) {
  const size_t line = std::min(bytes.find('\n'), bytes.size());
  const size_t blank = std::min(bytes.find(' '), line);
  const std::string extension(bytes.substr(0, blank));
  if (extension != "csv" && extension != "npy" && extension != "npz") return;
  std::optional<Problem> problem;
  const bool good = accepted([&] {
    problem = problem_from_json(problem_with(parse_json(bytes.substr(blank, line - blank))));
  });
  if (!good) return;
  const Bytes content = bytes.substr(std::min(line + 1, bytes.size()));
  const auto path = scratch_file("log." + extension, content);
  accepted([&] { read_disturbances(Paths{path}, problem->data, problem->sizes()); });
  accepted([&] { read_rollouts({path}, problem->data, problem->system.plant); });
  accepted([&] { read_rollouts({path, path}, problem->data, problem->system.plant); });
}

}  // namespace loopcert::fuzz
