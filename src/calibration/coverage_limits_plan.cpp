// Limits in the built-in plan. A new kind needs no line: it gets a cell on every problem that
// grants what it needs.
#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>

#include "certificate/limits.hpp"
#include "coverage_controls.hpp"
#include "coverage_limits.hpp"
#include "coverage_problems.hpp"
#include "problem/problem_json.hpp"
#include "response/lqr.hpp"

namespace loopcert {
namespace {

using nlohmann::json;

// A problem of the list under limits, with LQR.
struct LimitedProblem {
  std::string name;
  std::string problem;
  json patch;
  std::vector<Index> sizes;
  std::string family = "limits";
  // Kinds that fail with probability delta here, and with nearly that.
  std::vector<std::string> exact = {}, near = {};
};

json limits_on_u(double low, double high) {
  return {{"limits", {{"u", json::array({low, high})}}}};
}

json limits_on_each_u(double low, double high) {
  return {{"limits", {{"u", json::array({low, high})}, {"each", 0.05}}}};
}

// One end of one input at one step.
json one_side(double high, int step) {
  const json row = {{"u", json::array({1})}, {"max", high}, {"steps", {step, step}}};
  return {{"limits", {{"rows", json::array({row})}}}};
}

// |u_0| <= h, broken with this probability by `gain` times the input of LQR.
json broken_with(double probability, double gain, double target) {
  const Problem problem = problem_from_json(coverage_problem("white").tree);
  const Response lqr = lqr_response(problem.system);
  const Vector k = gain * lqr.Phi_u.row(0).transpose();
  const double deviation = std::sqrt(k.dot(problem.disturbance.law.value().covariance * k));
  const boost::math::normal normal;
  const double h =
      deviation * boost::math::quantile(boost::math::complement(normal, probability / 2));
  const json row = {{"u", json::array({1})}, {"min", -h}, {"max", h}, {"steps", {0, 0}}};
  return {{"limits", {{"rows", json::array({row})}, {"probability", target}}}};
}

// The bound that so many failures give at delta 0.05: a law that fails a little more often is the
// worst for a count.
double count_bound(Index failures, Index m) { return clopper_pearson(failures, m, 0.9).high; }
constexpr double little = 1 + 1e-6;

// Without a matrix above the covariance: it would be the best bound there is.
json unbounded(json patch) {
  patch["disturbance"] = {{"scale_bound", nullptr}, {"covariance_bound", nullptr}};
  return patch;
}

// As far as |u_2| of LQR comes where every entry of w is at a corner of its box.
double most_in_box(double half_width) {
  const Problem problem = problem_from_json(coverage_problem("signs").tree);
  return half_width * lqr_response(problem.system).Phi_u.row(2).cwiseAbs().sum();
}

json in_box(double high, double half_width) {
  json limits = one_side(high, 2);
  limits["limits"]["robust"] = true;
  limits["limits"]["box"] = half_width;
  return limits;
}

std::vector<LimitedProblem> limited_problems() {
  const double one_of_twenty = count_bound(1, 20);
  const double target =
      one_of_twenty * (1 + 1e-8);  // passed with one failure, whatever the rounding
  const double corner = std::sqrt(0.1) * (1 + 1e-9);
  const std::vector<std::string> tolerance = {"limits-tolerance"};
  const std::vector<std::string> both = {"limits-tolerance", "limits-count"};
  return {
      {"white, inputs",
       "white",
       unbounded(limits_on_u(-0.45, 0.45)),
       {2, 10, 60},
       "limits",
       {},
       {"limits-count"}},
      {"white, each input", "white", unbounded(limits_on_each_u(-0.45, 0.45)), {2, 10, 60}},
      {"white, one end", "white", unbounded(one_side(0.4, 1)), {2, 10}, "limits", tolerance},
      {"white, a bound stated", "white", limits_on_u(-0.45, 0.45), {10}},
      {"AR(1), a bound stated", "AR(1)", limits_on_each_u(-0.5, 0.5), {10}},
      {"known offset, inputs", "known offset", unbounded(limits_on_u(-0.9, 0.1)), {10}},
      {"unknown mean, inputs", "mean, affine", limits_on_u(-1.2, 0.2), {3, 10}},
      {"unknown mean, each input", "mean, affine", limits_on_each_u(-1.1, 0.2), {3, 10}},
      {"AR(1), inputs", "AR(1)", unbounded(limits_on_u(-0.5, 0.5)), {10, 40}},
      {"AR(1), each input", "AR(1)", unbounded(limits_on_each_u(-0.5, 0.5)), {10}},
      {"unknown colour, inputs", "unknown colour", limits_on_u(-0.5, 0.5), {40}},
      {"unknown colour, each input", "unknown colour", limits_on_each_u(-0.5, 0.5), {40}},
      {"one direction, inputs", "one direction", unbounded(limits_on_u(-0.4, 0.4)), {2, 10}},
      {"mixture, inputs", "mixture", limits_on_u(-0.6, 0.6), {10, 60}},
      {"signs, inputs", "signs", limits_on_u(-0.25, 0.25), {10}},
      {"rare signs, each input", "rare signs", limits_on_each_u(-0.5, 0.5), {10}},
      {"signs, just within a box", "signs", in_box(most_in_box(corner) * little, corner), {10}},
      {"signs, just beyond a box", "signs", in_box(most_in_box(corner) / little, corner), {10}},
      {"double integrator, each input",
       "double integrator",
       unbounded(limits_on_each_u(-0.9, 0.9)),
       {10}},
      {"no failure of 59",
       "white",
       unbounded(broken_with(count_bound(0, 59) * little, 1, 0.05)),
       {59},
       "limits",
       both},
      {"one failure of 20",
       "white",
       unbounded(broken_with(one_of_twenty * little, 1, 0.05)),
       {20},
       "limits",
       both},
      {"too bold from the first on",
       "white",
       unbounded(broken_with(one_of_twenty * little, 1, target)),
       {40},
       "limits-path",
       both},
      {"too bold from the third on",
       "white",
       unbounded(broken_with(one_of_twenty * little, path_growth * path_growth, target)),
       {40},
       "limits-path",
       both},
      {"white, path", "white", unbounded(limits_on_u(-0.45, 0.45)), {40}, "limits-path"},
      {"no failure of 59",
       "white",
       broken_with(count_bound(0, 59) * little, 1, 0.05),
       {59},
       "measured-limits",
       {"measured-count"}},
      {"one failure of 20",
       "white",
       broken_with(one_of_twenty * little, 1, 0.05),
       {20},
       "measured-limits",
       {"measured-count"}},
      {"white, inputs",
       "white",
       limits_on_u(-0.45, 0.45),
       {20, 40},
       "measured-limits",
       {},
       {"measured-count"}},
      {"white, each input", "white", limits_on_each_u(-0.45, 0.45), {20, 40}, "measured-limits"},
      {"mixture, inputs", "mixture", limits_on_u(-0.6, 0.6), {20}, "measured-limits"},
      {"signs, inputs", "signs", limits_on_u(-0.25, 0.25), {20}, "measured-limits"},
  };
}

// Learned: how, and what it is certified by.
json learned_by(const std::string& method, const std::string& certificate) {
  return {{"learning", {{"method", method}}}, {"certificate", {{"kind", certificate}}}};
}

struct LearnedLimits {
  std::string name;
  std::string problem;
  json patch;
  std::string kind;
  Index n;
  std::string family = "limits-learn";
};

json with_target(json limits, double probability) {
  limits["limits"]["probability"] = probability;
  return limits;
}

std::vector<LearnedLimits> learned_cells() {
  const auto under = [](json limits, const std::string& method, const std::string& certificate) {
    limits.update(learned_by(method, certificate));
    return limits;
  };
  const json narrow = unbounded(with_target(limits_on_u(-0.3, 0.3), 0.2));
  const json wide = unbounded(limits_on_u(-0.45, 0.45)), middle = limits_on_u(-0.5, 0.5);
  const json split = under(narrow, "shrinkage", "best");
  const json by_folds = under(wide, "shrinkage", "cross-chi-square");
  const json coloured = under(middle, "identified", "identified");
  const json whole = under(limits_on_u(-0.45, 0.45), "shrinkage", "assumed-scale");
  return {
      {"white, path", "white", split, "limits-best", 60},
      {"white, path", "white", split, "limits-tolerance", 60},
      {"white, path", "white", split, "limits-count", 60},
      {"white, path", "white", split, "limits-envelope", 60},
      {"white, folds", "white", by_folds, "limits-tolerance", 20},
      {"white, folds", "white", by_folds, "limits-best", 20},
      {"white, folds, each input", "white",
       under(unbounded(limits_on_each_u(-0.45, 0.45)), "shrinkage", "cross-chi-square"),
       "limits-tolerance", 20},
      {"white, all data", "white", whole, "limits-envelope", 20},
      {"AR(1), path", "AR(1)", split, "limits-best", 60},
      {"unknown colour, all data", "unknown colour", coloured, "limits-envelope", 40},
      {"unknown colour, folds", "unknown colour", under(middle, "identified", "cross-identified"),
       "limits-best", 40},
      {"white, path", "white", split, "limits-best", 60, "limits-joint"},
      {"white, folds", "white", by_folds, "limits-best", 20, "limits-joint"},
      {"unknown colour, all data", "unknown colour", coloured, "limits-envelope", 40,
       "limits-joint"},
  };
}

bool grants_limits(const std::string& name, const CoverageCell& cell) {
  const bool path = cell.family == "limits-path";
  const Index n = path ? cell.n / 2 : cell.n;
  const Premises law{cell.problem.disturbance, cell.problem.sizes(), n, false};
  for (const LimitsKind& kind : limits_kinds())
    if (kind.name == name)
      return !kind.needs(
          {law, *cell.problem.limits, path ? UseOfData::hold_out : UseOfData::fixed, cell.n});
  return true;  // the best of them, or a count of what was measured
}

void add_limited(CoveragePlan& plan, const LimitedProblem& p) {
  json tree = patched_problem(p.problem, p.patch);
  tree["name"] = p.name;
  for (const std::string& kind : coverage_family(p.family).kinds())
    for (const Index n : p.sizes) {
      CoverageCell cell = make_coverage_cell(tree, p.family, kind, n, plan.delta);
      cell.response = "lqr";
      cell.source.shape = coverage_problem(p.problem).shape;
      if (std::count(p.exact.begin(), p.exact.end(), kind) > 0) cell.rule = CoverageRule::exact;
      if (std::count(p.near.begin(), p.near.end(), kind) > 0) cell.rule = CoverageRule::at_most;
      if (grants_limits(kind, cell)) plan.cells.push_back(std::move(cell));
    }
}

}  // namespace

void add_limits_cells(CoveragePlan& plan) {
  for (const LimitedProblem& problem : limited_problems()) add_limited(plan, problem);
  for (const LearnedLimits& e : learned_cells()) {
    json tree = patched_problem(e.problem, e.patch);
    tree["name"] = e.name;
    plan.cells.push_back(make_coverage_cell(tree, e.family, e.kind, e.n, plan.delta));
    plan.cells.back().source.shape = coverage_problem(e.problem).shape;
  }
}

}  // namespace loopcert
