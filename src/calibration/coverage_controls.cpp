#include "coverage_controls.hpp"

#include <cmath>
#include <cstdlib>

#include "coverage_problems.hpp"
#include "problem/problem_json.hpp"

namespace loopcert {
namespace {

using nlohmann::json;

constexpr auto fails = CoverageRule::fails;
constexpr auto refused = CoverageRule::refused;

const json unchanged;
const json small_scale = {{"disturbance", {{"scale_bound", 0.0001}}}};
const json small_radius = {{"disturbance", {{"radius", 0.1}}}};
const json moved = {{"disturbance", {{"mean", 10}, {"zero_mean", true}}}};
const json gaussian = {{"disturbance", {{"model", "gaussian"}}}};

// x_0 apart, w_t = 0.95 w_{t-2} + v_t: of order two, and nothing of it shows after one step.
json every_other_step() {
  constexpr int steps = 12;
  json covariance = json::array();
  for (int t = -1; t < steps; ++t) {
    json row = json::array();
    for (int s = -1; s < steps; ++s) {
      const int lag = std::abs(t - s);
      const bool follows = t >= 0 && s >= 0 && lag % 2 == 0;
      row.push_back(follows || t == s ? 0.1 * std::pow(0.95, lag / 2) : 0.0);
    }
    covariance.push_back(row);
  }
  return {{"horizon", steps}, {"disturbance", {{"covariance", covariance}}}};
}

const std::vector<Control> controls = {
    {"scale bound 1000 times too small", "double integrator", small_scale, "fixed", "hold-out", 10,
     "lqr", "law", false, fails},
    {"scale bound 1000 times too small, law stated", "double integrator", small_scale, "fixed",
     "hold-out", 10, "lqr", "law", true, refused},
    {"scale bound 1000 times too small, law stated", "double integrator", small_scale, "learn",
     "data-driven", 10, "start", "law", true, refused},
    {"mean 10 claimed zero", "white", moved, "fixed", "hold-out", 10, "lqr", "law", false, fails},
    {"mean 10 claimed zero, law stated", "white", moved, "fixed", "hold-out", 10, "lqr", "law",
     true, refused},
    {"heavy tails claimed Gaussian", "mixture", gaussian, "fixed", "hold-out-scale-free", 10, "lqr",
     "mixture", false, fails},
    {"heavy tails claimed Gaussian", "mixture", gaussian, "fixed", "hold-out", 10, "lqr", "mixture",
     false, fails},
    {"radius too small", "rare signs", small_radius, "learn", "bounded", 5, "start", "rare-signs",
     false, fails},
    {"one trajectory recorded 40 times", "one direction", unchanged, "fixed", "hold-out-scale-free",
     40, "lqr", "copies", false, fails},
    {"controller certified on its own training data", "double integrator", unchanged, "fixed",
     "hold-out-scale-free", 10, "erm", "law", false, fails},
    {"colour of order two claimed of order one", "unknown colour", every_other_step(), "fixed",
     "identified", 200, "lqr", "law", false, fails},
    {"prior centred on the certifying data", "double integrator", unchanged, "posterior", "oracle",
     20, "erm", "law", true, fails},
};

}  // namespace

void add_control(CoveragePlan& plan, const Control& c) {
  json tree = patched_problem(c.problem, c.patch);
  tree["name"] = c.name;
  CoverageCell cell = make_coverage_cell(tree, c.family, c.kind, c.n, plan.delta, c.told);
  cell.response = c.response;
  cell.source.shape = c.shape;
  cell.rule = c.rule;
  if (!c.deployed.is_null()) {
    tree.merge_patch(c.deployed);
    cell.source.deployed = problem_from_json(tree);
  }
  plan.cells.push_back(std::move(cell));
}

void add_controls(CoveragePlan& plan) {
  for (const Control& c : controls) add_control(plan, c);
}

}  // namespace loopcert
