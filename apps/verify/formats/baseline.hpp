// The controller that runs today: [baseline] of a problem.
#pragma once

#include <filesystem>
#include <map>
#include <optional>

#include "formats/files.hpp"

namespace verify {

struct Baseline {
  std::string form;                     // gain, pid, lead-lag, state-space, controller
  std::map<std::string, Table> values;  // a number is 1 x 1
  Table setpoint, offset;               // T x n_y and 1 x n_u, zero where there is none
  json controller;                      // of form controller: the file
  bool fallback = false;
};

// In any of the forms that a problem file may have; a file must be in its place already.
std::optional<Baseline> parse_baseline(const json& problem, long n_y, long n_u, long T);
// baseline.file of a problem file, relative to it, put in its place.
void put_baseline_file(json& problem, const std::filesystem::path& file);
bool same_baseline(const std::optional<Baseline>& a, const std::optional<Baseline>& b);

}  // namespace verify
