// The exponential moments of the built-in plan.
#include "coverage_controls.hpp"
#include "coverage_problems.hpp"
#include "problem/problem_json.hpp"

namespace loopcert {
namespace {

using nlohmann::json;

// A premise on one of the problems, for several lambda.
struct Premise {
  std::string problem;
  json patch;
  Index n;
  std::string cumulant;
  bool prior;
  CoverageRule rule;
  std::vector<double> log_second;
};

constexpr auto exact = CoverageRule::exact;
constexpr auto at_most = CoverageRule::at_most;
constexpr auto fails = CoverageRule::fails;

const json narrow_prior = {{"learning", {{"prior", {{"scale", 0.3}}}}}};
const json unchanged;

json renamed(const std::string& name, json patch) {
  patch["name"] = name;
  return patch;
}

const std::vector<Premise> premises = {
    {"white", unchanged, 3, "exact", false, exact, {0.1, 0.5, 1}},
    {"one direction", unchanged, 3, "exact", false, exact, {0.1, 0.5, 1}},
    {"mean, affine", unchanged, 3, "exact", false, exact, {0.1, 0.5, 1}},
    {"double integrator, AR(1)", unchanged, 10, "exact", false, exact, {0.5}},
    {"white", narrow_prior, 3, "exact", true, exact, {0.1, 0.5}},
    {"white", unchanged, 3, "quadratic", false, at_most, {0.1, 0.5, 1}},
    {"white", narrow_prior, 3, "quadratic", true, at_most, {0.1, 0.5}},
    {"AR(1)", unchanged, 3, "scale-bound", false, at_most, {0.1, 0.5, 1}},
    {"rare signs", unchanged, 3, "hoeffding", false, at_most, {1e-5, 1e-3}},
    {"AR(1)",
     renamed("scale bound 10 times too small", {{"disturbance", {{"scale_bound", 0.025}}}}),
     10,
     "scale-bound",
     false,
     fails,
     {0.5}},
    {"mixture",
     renamed("heavy tails claimed Gaussian", unchanged),
     10,
     "exact",
     false,
     fails,
     {0.5}},
};

}  // namespace

void add_premises(CoveragePlan& plan) {
  for (const Premise& p : premises)
    for (const double log_second : p.log_second) {
      PremiseCell cell;
      cell.problem = problem_from_json(patched_problem(p.problem, p.patch));
      cell.source = {*cell.problem.disturbance.law, coverage_problem(p.problem).shape};
      cell.n = p.n;
      cell.cumulant = p.cumulant;
      cell.prior = p.prior;
      cell.log_second = log_second;
      cell.rule = p.rule;
      plan.premises.push_back(std::move(cell));
    }
}

}  // namespace loopcert
