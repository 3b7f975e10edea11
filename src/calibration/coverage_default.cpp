// The built-in plan. A new kind needs no line: it gets a cell on every problem that grants what it
// needs. A kind that fails with probability exactly delta somewhere gets a line in `special`.
#include <algorithm>

#include "calibration/coverage_plan.hpp"
#include "certificate/fixed_response.hpp"
#include "certificate/from_problem.hpp"
#include "certificate/premises.hpp"
#include "coverage_controls.hpp"
#include "coverage_measured.hpp"
#include "coverage_problems.hpp"

namespace loopcert {
namespace {

struct Special {
  std::string kind;
  std::string problem;
  CoverageRule rule;
};

// A kind that is not in the registry is waited for.
const std::vector<Special> special = {
    {"hold-out-chi-square", "one direction", CoverageRule::exact},
    {"hold-out-frobenius", "one direction", CoverageRule::exact},
    {"hold-out-frobenius", "unknown colour", CoverageRule::at_most},
    {"improvement", "AR(1)", CoverageRule::at_most},
    {"improvement", "unknown colour", CoverageRule::at_most},
    {"hold-out", "white", CoverageRule::at_most},
    {"hold-out", "double integrator", CoverageRule::exact},
    {"hold-out-known", "white", CoverageRule::at_most},
    {"hold-out-known", "one direction", CoverageRule::at_most},
    {"hold-out-known", "AR(1)", CoverageRule::exact},
    {"hold-out-known", "double integrator", CoverageRule::exact},
    {"hold-out-known", "double integrator, AR(1)", CoverageRule::exact},
};

// Cells beyond the automatic ones: a problem of the list with some keys changed.
struct Extra {
  std::string name;
  std::string problem;
  nlohmann::json patch;
  std::string kind;
  Index n;
  std::string family = "learn";
};

const nlohmann::json by_auto = {{"learning", {{"method", "auto"}}}};
const nlohmann::json by_shrinkage = {{"learning", {{"method", "shrinkage"}}}};
const nlohmann::json by_identified = {{"learning", {{"method", "identified"}}}};
// Nothing granted but a Gaussian law with mean zero.
const nlohmann::json auto_without_scale = {
    {"learning", {{"method", "auto"}}},
    {"disturbance",
     {{"scale_bound", nullptr}, {"covariance_bound", nullptr}, {"kurtosis", nullptr}}}};

const nlohmann::json pi_today = {{"pid", {{"p", 0.3}, {"i", 0.1}}}};
const nlohmann::json near_optimal = {{"gain", -0.6}, {"fallback", true}};

nlohmann::json with_baseline(nlohmann::json patch, const nlohmann::json& baseline) {
  patch["baseline"] = baseline;
  return patch;
}

// Its one state is an output, and inputs act a step later than they did.
nlohmann::json seen_late(nlohmann::json patch) {
  patch["system"] = {{"C", {{1}}}, {"delay", 1}};
  return patch;
}

nlohmann::json following(nlohmann::json patch) {
  patch["cost"] = {{"reference", nlohmann::json::array({0.5})}};
  return patch;
}

nlohmann::json with_prior(nlohmann::json prior) {
  return {{"learning", {{"prior", std::move(prior)}}}};
}

nlohmann::json with_posterior(const std::string& family) {
  return {{"learning", {{"posterior", family}}}};
}

const std::vector<Extra> extra = {
    {"white, prior at LQR",
     "white",
     {{"learning", {{"prior", {{"center", "lqr"}}}}}},
     "data-driven",
     10},
    {"white, loose scale", "white", {{"disturbance", {{"scale_bound", 1}}}}, "data-driven", 10},
    {"white, auto", "white", by_auto, "best", 10},
    {"AR(1), auto", "AR(1)", by_auto, "best", 10},
    {"AR(1), auto, no scale", "AR(1)", auto_without_scale, "best", 10},
    {"AR(1), auto, no scale", "AR(1)", auto_without_scale, "best", 40},
    {"mean, auto", "mean, affine", by_auto, "best", 10},
    {"uniform, auto", "uniform", by_auto, "best", 20},
    {"double integrator, auto", "double integrator", by_auto, "best", 10},
    {"double integrator, AR(1), auto, no scale", "double integrator, AR(1)", auto_without_scale,
     "best", 40},
    {"AR(1), folds", "AR(1)", by_shrinkage, "cross-chi-square", 10},
    {"AR(1), split", "AR(1)", by_shrinkage, "hold-out-chi-square", 10},
    {"one direction, folds", "one direction", by_shrinkage, "cross-chi-square", 10},
    {"AR(1), folds", "AR(1)", by_shrinkage, "cross-frobenius", 10},
    {"AR(1), split", "AR(1)", by_shrinkage, "hold-out-frobenius", 10},
    {"one direction, folds", "one direction", by_shrinkage, "cross-frobenius", 10},
    {"unknown colour, all data", "unknown colour", by_identified, "identified", 40},
    {"unknown colour, folds", "unknown colour", by_identified, "cross-identified", 40},
    {"unknown colour, auto", "unknown colour", by_auto, "best", 40},
    {"AR(1), folds", "AR(1)", by_shrinkage, "cross-chi-square", 20, "improvement"},
    {"AR(1), split", "AR(1)", by_shrinkage, "hold-out-chi-square", 20, "improvement"},
    {"AR(1), auto, no scale", "AR(1)", auto_without_scale, "best", 40, "improvement"},
    {"AR(1), PI today, auto", "AR(1)", with_baseline(by_auto, pi_today), "best", 40, "improvement"},
    {"AR(1), PI today, folds", "AR(1)", with_baseline(by_shrinkage, pi_today), "cross-chi-square",
     20, "improvement"},
    {"AR(1), PI today, fallback", "AR(1)", with_baseline(by_auto, near_optimal), "best", 20},
    {"AR(1), PI today, fallback", "AR(1)", with_baseline(by_auto, near_optimal), "best", 20,
     "improvement"},
    {"AR(1), reference, folds", "AR(1)", following(by_shrinkage), "cross-scale-free", 10},
    {"AR(1), reference, folds", "AR(1)", following(by_shrinkage), "cross-scale-free", 20,
     "improvement"},
    {"AR(1), outputs, folds", "AR(1)", seen_late(by_shrinkage), "cross-chi-square", 10},
    {"AR(1), outputs, auto", "AR(1)", seen_late(by_auto), "best", 20},
    {"AR(1), outputs, PI today", "AR(1)", seen_late(with_baseline(by_auto, pi_today)), "best", 40,
     "improvement"},
    {"white, portfolio", "white", {}, "best", 10},
    {"white, grid of priors", "white", with_prior({{"center", "lqr"}, {"scale", "grid"}}), "scale",
     10},
    {"white, rotated posterior", "white", with_posterior("rotated"), "data-driven", 10},
    {"white, block posterior", "white", with_posterior("block"), "data-driven-randomized", 10},
    {"white, full posterior", "white", with_posterior("full"), "data-driven-rank-aware", 10},
    {"AR(1), Kronecker posterior", "AR(1)", with_posterior("kronecker"), "scale", 10},
    {"AR(1), full posterior", "AR(1)", with_posterior("full"), "data-driven-randomized", 10},
    {"white, prior by the cost", "white",
     with_prior({{"center", "lqr"}, {"covariance", "cost"}, {"scale", "grid"}}), "scale", 10},
    // A true radius at this n: 0.1 (2a + a^2) = 0.4187, a = sqrt(4/10) + sqrt(2 log(8)/10).
    {"white, radius given",
     "white",
     {{"disturbance",
       {{"scale_bound", nullptr}, {"covariance_radius", 0.42}, {"covariance_radius_delta", 0.25}}}},
     "data-driven-given-radius",
     10},
    {"AR(1), split prior", "AR(1)", with_prior({{"center", "split"}, {"scale", 0.1}}), "scale", 20},
};

CoverageRule rule_of(const std::string& kind, const std::string& problem) {
  for (const Special& s : special)
    if (s.kind == kind && s.problem == problem) return s.rule;
  return CoverageRule::below;
}

bool granted(Needs needs, const CoverageCell& cell) {
  const bool offset = cell.problem.has_constant();
  return !needs || !needs({cell.problem.disturbance, cell.problem.sizes(), cell.n, offset,
                           *cell.problem.certificate.delta});
}

void add_cells(CoveragePlan& plan, const CoverageProblem& problem, const std::string& family,
               const std::string& kind, Needs needs, const std::vector<Index>& sizes) {
  for (const Index n : sizes) {
    CoverageCell cell = make_coverage_cell(problem.tree, family, kind, n, plan.delta);
    cell.source.shape = problem.shape;
    cell.rule = rule_of(kind, cell.problem.name);
    if (granted(needs, cell)) plan.cells.push_back(std::move(cell));
  }
}

// What learning with a kind needs: one that cannot be minimized is evaluated where another one is
// smallest.
void add_learn_cells(CoveragePlan& plan, const CoverageProblem& problem,
                     const PosteriorKind& kind) {
  const size_t before = plan.cells.size();
  add_cells(plan, problem, "learn", kind.name, kind.needs, problem.learn);
  if (kind.setup) return;
  const Needs needs = posterior_kind(kind.minimized).needs;
  plan.cells.erase(
      std::remove_if(plan.cells.begin() + static_cast<std::ptrdiff_t>(before), plan.cells.end(),
                     [&](const CoverageCell& cell) { return !granted(needs, cell); }),
      plan.cells.end());
}

void add_extra(CoveragePlan& plan) {
  for (const Extra& e : extra) {
    nlohmann::json tree = patched_problem(e.problem, e.patch);
    tree["name"] = e.name;
    plan.cells.push_back(make_coverage_cell(tree, e.family, e.kind, e.n, plan.delta));
  }
}

}  // namespace

CoveragePlan default_coverage_plan() {
  CoveragePlan plan;
  plan.name = "built-in";
  for (const PosteriorKind& kind : posterior_kinds())
    for (const CoverageProblem& problem : coverage_problems()) add_learn_cells(plan, problem, kind);
  add_extra(plan);
  for (const PosteriorKind& kind : posterior_kinds())
    for (const CoverageProblem& problem : coverage_problems())
      add_cells(plan, problem, "posterior", kind.name, kind.needs, problem.posterior);
  for (const FixedResponseKind& kind : fixed_response_kinds())
    for (const CoverageProblem& problem : coverage_problems())
      add_cells(plan, problem, "fixed", kind.name, kind.needs, problem.fixed);
  add_limits_cells(plan);
  add_measured_cells(plan);
  add_controls(plan);
  add_limits_controls(plan);
  add_measured_controls(plan);
  add_premises(plan);
  return plan;
}

std::vector<std::string> kinds_without_cell(const CoveragePlan& plan) {
  const auto covered = [&](const std::string& kind, bool fixed) {
    return std::any_of(plan.cells.begin(), plan.cells.end(), [&](const CoverageCell& cell) {
      const bool honest = cell.rule != CoverageRule::fails && cell.rule != CoverageRule::refused;
      return honest && cell.kind == kind && (cell.family == "fixed") == fixed;
    });
  };
  std::vector<std::string> missing;
  for (const PosteriorKind& kind : posterior_kinds())
    if (!kind.oracle && !covered(kind.name, false)) missing.push_back(kind.name);
  for (const FixedResponseKind& kind : fixed_response_kinds())
    if (!covered(kind.name, true)) missing.push_back(kind.name);
  for (const std::string& kind : limits_kind_names())
    if (!covered(kind, false)) missing.push_back(kind);
  for (const CoverageFamily& family : measured_families())
    for (const std::string& kind : family.kinds())
      if (!covered(kind, false)) missing.push_back(kind);
  return missing;
}

}  // namespace loopcert
