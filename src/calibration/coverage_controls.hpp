// The parts of the built-in plan that show that it can fail, the premises, limits and measured
// costs.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "calibration/coverage_plan.hpp"

namespace loopcert {

// One assumption broken. `told`: the problem file also states the law, so that it contradicts
// itself. `deployed`: a patch of the problem that gives plant and law after deployment.
struct Control {
  std::string name;
  std::string problem;
  nlohmann::json patch;
  std::string family;
  std::string kind;
  Index n;
  std::string response;
  std::string shape;
  bool told;
  CoverageRule rule;
  nlohmann::json deployed = nullptr;
};

void add_control(CoveragePlan& plan, const Control& control);

void add_controls(CoveragePlan& plan);
void add_premises(CoveragePlan& plan);

// Every kind of limits on every built-in problem with limits that grants what it needs; paths,
// learning and the joint statement; and their negative controls.
void add_limits_cells(CoveragePlan& plan);
void add_limits_controls(CoveragePlan& plan);

// Every kind of measured costs on every built-in problem that grants what it needs; and their
// negative controls.
void add_measured_cells(CoveragePlan& plan);
void add_measured_controls(CoveragePlan& plan);

}  // namespace loopcert
