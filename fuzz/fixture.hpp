// A small problem and honest runs on it, so that targets reach what lies behind hashes and sizes.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "loopcert/data/disturbances.hpp"
#include "loopcert/problem/problem.hpp"

namespace loopcert::fuzz {

// One state, one input, two steps.
Problem small_problem(const std::string& method, const std::string& kind);
Disturbances small_data();

// A certificate and the one file beside it that it stands on.
struct HonestRun {
  std::string role;  // posterior | responses | controller
  std::string file;  // its name
  std::string content;
  nlohmann::json certificate;
  std::string controller;  // controller.json of the run
};

HonestRun posterior_run();
HonestRun responses_run();
HonestRun controller_run();

}  // namespace loopcert::fuzz
