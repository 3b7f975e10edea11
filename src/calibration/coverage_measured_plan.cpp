// Measured costs in the built-in plan. A new kind needs no line: it gets a cell on every problem
// that grants what it needs.
#include <algorithm>

#include "coverage_controls.hpp"
#include "coverage_measured.hpp"
#include "coverage_problems.hpp"
#include "measurement/measured_kind.hpp"

namespace loopcert {
namespace {

using nlohmann::json;

// A problem of the list, with some keys changed.
struct MeasuredProblem {
  std::string name;
  std::string problem;
  json patch;
  std::string shape;
  std::vector<Index> sizes;
  // Kinds that fail with probability delta here, and with nearly that.
  std::vector<std::string> exact = {}, near = {};
};

// One number, the initial state, decides every cost.
json first_state_bounded(double radius, double kurtosis) {
  return {{"disturbance", {{"model", "bounded"}, {"radius", radius}, {"kurtosis", kurtosis}}}};
}

std::vector<MeasuredProblem> measured_problems() {
  // The state is 1 or -1 in one episode of ten, otherwise 0: the cost is a coin, 0 or ten times its
  // mean. Nothing but zeros in 29 episodes has probability 0.0471, in 30 episodes 0.0424.
  const json coin = first_state_bounded(1 + 1e-9, 10);
  const json uniform = with_patch(first_state_bounded(0.5478, 3),  // sqrt(0.3)
                                  {{"disturbance", {{"distribution", "uniform"}}}});
  return {
      {"white", "white", {}, "law", {20, 40}},
      {"one direction",
       "one direction",
       {},
       "law",
       {6, 20, 40},
       {"measured-chi-square", "measured-ratio"},
       {"measured-best"}},
      {"AR(1)", "AR(1)", {}, "law", {20}},
      {"unknown colour", "unknown colour", {}, "law", {20}},
      {"known offset", "known offset", {}, "law", {20}},
      {"mean, affine", "mean, affine", {}, "law", {20}},
      {"signs", "signs", {}, "signs", {20}},
      {"rare signs", "rare signs", {}, "rare-signs", {40}},
      {"uniform", "uniform", {}, "law", {20}},
      {"a coin",
       "one direction",
       coin,
       "rare-signs",
       {29, 30},
       {},
       {"measured-bounded", "measured-fourth-moment"}},
      {"one uniform number", "one direction", uniform, "law", {40}},
      {"mixture", "mixture", {}, "mixture", {300}},
      {"double integrator", "double integrator", {}, "law", {20}},
  };
}

bool measured_granted(const CoverageCell& cell) {
  const MeasureOptions options = measure_options(cell);
  const Index n = cell.n;
  const auto granted = [&](const MeasuredKind& kind) {
    return !kind.needs({options, n, options.delta});
  };
  if (cell.kind != "measured-best") return granted(measured_kind(cell.kind));
  return std::any_of(measured_kinds().begin(), measured_kinds().end(),
                     [&](const MeasuredKind& k) { return !k.compares() && granted(k); });
}

const json claimed_gaussian_costs = {{"disturbance", {{"model", "gaussian"}}}};
const json radius_of_tenth = {{"disturbance", {{"radius", 0.1}}}};
const json unlike_before = {{"disturbance", {{"covariance", 0.2}}}};

const std::vector<Control>& measured_controls() {
  using enum CoverageRule;
  static const std::vector<Control> all = {
      {"heavy tails claimed Gaussian", "mixture", claimed_gaussian_costs, "measured",
       "measured-chi-square", 20, "lqr", "mixture", false, fails},
      {"a largest cost too small", "rare signs", radius_of_tenth, "measured", "measured-bounded", 5,
       "lqr", "rare-signs", false, fails},
      {"a largest cost too small", "signs", radius_of_tenth, "measured", "measured-bounded", 20,
       "lqr", "signs", false, refused},
      {"one episode recorded 40 times", "uniform", nullptr, "measured", "measured-bounded", 40,
       "lqr", "copies", false, fails},
      {"controller chosen by these episodes", "double integrator", nullptr, "measured",
       "measured-chi-square", 10, "erm", "law", false, fails},
      {"the law has changed since", "white", nullptr, "measured", "measured-scale-free", 40, "lqr",
       "law", false, fails, unlike_before},
      {"heavy tails claimed Gaussian", "mixture", claimed_gaussian_costs, "measured",
       "measured-ratio", 40, "start", "mixture", false, fails},
  };
  return all;
}

}  // namespace

void add_measured_cells(CoveragePlan& plan) {
  for (const MeasuredProblem& p : measured_problems()) {
    json tree = patched_problem(p.problem, p.patch);
    tree["name"] = p.name;
    for (const std::string& kind : measured_kind_names())
      for (const Index n : p.sizes) {
        CoverageCell cell = make_coverage_cell(tree, "measured", kind, n, plan.delta);
        cell.source.shape = p.shape;
        if (std::count(p.exact.begin(), p.exact.end(), kind) > 0) cell.rule = CoverageRule::exact;
        if (std::count(p.near.begin(), p.near.end(), kind) > 0) cell.rule = CoverageRule::at_most;
        if (measured_granted(cell)) plan.cells.push_back(std::move(cell));
      }
  }
}

void add_measured_controls(CoveragePlan& plan) {
  for (const Control& c : measured_controls()) add_control(plan, c);
}

}  // namespace loopcert
