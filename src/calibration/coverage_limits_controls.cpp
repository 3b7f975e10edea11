// Negative controls of limits: a kind under an assumption that is false.
#include "coverage_controls.hpp"
#include "coverage_problems.hpp"

namespace loopcert {
namespace {

using nlohmann::json;

json within(double h) { return {{"limits", {{"u", json::array({-h, h})}}}}; }

json states_within(double h) {
  return {{"limits", {{"x", json::array({-h, h})}, {"probability", 0.05}}}};
}

const json claimed_gaussian = {{"disturbance", {{"model", "gaussian"}}}};
const json claimed_white = {{"disturbance", {{"white", true}, {"stationary", true}}}};
const json small_scale = {{"disturbance", {{"scale_bound", 0.05}, {"covariance_bound", 0.05}}}};
const json small_box = {{"limits", {{"robust", true}, {"box", 0.4}}}};
const json mean_of_folds = {{"learning", {{"method", "shrinkage"}}},
                            {"certificate", {{"kind", "cross-chi-square"}}}};
const json each_state = {{"limits", {{"x", {{-0.8, 0.8}, {-9, 9}}}, {"each", 0.05}}}};

const json without_bounds = {
    {"limits", {{"u", json::array({-0.45, 0.45})}}},
    {"disturbance", {{"scale_bound", nullptr}, {"covariance_bound", nullptr}}}};

const json other_plant = {{"system", {{"A", json::array({json::array({1.8})})}}}};
const json other_law = {{"disturbance", {{"covariance", 0.2}}}};

const std::vector<Control>& limits_controls() {
  using enum CoverageRule;
  static const std::vector<Control> all = {
      {"heavy tails claimed Gaussian", "mixture", with_patch(within(0.6), claimed_gaussian),
       "limits", "limits-tolerance", 10, "lqr", "mixture", false, fails},
      {"AR(1) noise claimed white", "AR(1)", with_patch(states_within(0.9), claimed_white),
       "limits", "limits-envelope", 100, "lqr", "law", false, fails},
      {"another plant deployed", "white", within(0.45), "limits", "limits-tolerance", 60, "lqr",
       "law", false, fails, other_plant},
      {"the law has changed since", "white", without_bounds, "limits", "limits-best", 60, "lqr",
       "law", false, fails, other_law},
      {"one trajectory recorded 60 times", "white", within(0.4), "limits", "limits-count", 60,
       "lqr", "copies", false, fails},
      {"controller certified on its own training data", "double integrator", each_state, "limits",
       "limits-tolerance", 10, "erm", "law", false, fails},
      {"a box that is seldom left", "rare signs", with_patch(within(0.5), small_box), "limits",
       "limits-robust", 2, "lqr", "rare-signs", false, fails},
      {"scale bound too small", "white", with_patch(within(0.45), small_scale), "limits",
       "limits-assumed", 10, "lqr", "law", false, fails},
      {"scale bound too small, law stated", "white", with_patch(within(0.45), small_scale),
       "limits", "limits-assumed", 10, "lqr", "law", true, refused},
      {"a count over folds", "white", with_patch(within(0.45), mean_of_folds), "limits-learn",
       "limits-count", 20, "start", "law", false, refused},
  };
  return all;
}

}  // namespace

void add_limits_controls(CoveragePlan& plan) {
  for (const Control& c : limits_controls()) add_control(plan, c);
}

}  // namespace loopcert
