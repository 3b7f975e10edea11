#include "coverage_problems.hpp"

#include <cmath>

#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

using nlohmann::json;

// A 1 x 1 matrix.
json one(double value) { return json::array({json::array({value})}); }

// A scalar plant over three steps: d_w = 4, so that 5000 data sets take a second.
json scalar(const std::string& name, json disturbance) {
  return {{"name", name},
          {"horizon", 3},
          {"system", {{"A", one(0.9)}, {"B", one(1)}}},
          {"cost", {{"Q", one(1)}, {"R", one(0.5)}}},
          {"disturbance", std::move(disturbance)}};
}

json double_integrator(const std::string& name, json disturbance) {
  return {{"name", name},
          {"horizon", 10},
          {"system", {{"A", {{1, 1}, {0, 1}}}, {"B", {{0.5}, {1}}}}},
          {"cost", {{"Q", {1, 0.1}}, {"R", one(0.5)}, {"P", {2, 0.2}}}},
          {"disturbance", std::move(disturbance)}};
}

const json white = {{"white", true},           {"stationary", true}, {"scale_bound", 0.1},
                    {"covariance_bound", 0.1}, {"kurtosis", 3},      {"covariance", 0.1}};

// Largest eigenvalues 0.24958 and 0.55014.
json coloured(double scale_bound) {
  const json ar1 = {{"ar1", 0.8}, {"variance", 0.1}};
  return {{"scale_bound", scale_bound},
          {"covariance_bound", ar1},
          {"kurtosis", 3},
          {"covariance", ar1}};
}

// Sigma_w of rank one: every cost is one chi-square, the worst case of the hold-out bounds.
const json one_direction = {{"white", true},      {"stationary", true},
                            {"scale_bound", 0.1}, {"covariance_bound", {{"x0", 0.1}, {"w", 0}}},
                            {"kurtosis", 3},      {"covariance", {{"x0", 0.1}, {"w", 0}}}};

// E (c + x)^4 <= K (c^2 + E x^2)^2 holds with the K >= 3 of the centred x when x is symmetric.
json bounded(double radius, double kurtosis) {
  return {{"model", "bounded"}, {"radius", radius},        {"kurtosis", kurtosis},
          {"scale_bound", 0.1}, {"covariance_bound", 0.1}, {"covariance", 0.1}};
}

}  // namespace

json with_patch(json tree, const json& patch) {
  tree.merge_patch(patch);
  return tree;
}

const std::vector<CoverageProblem>& coverage_problems() {
  static const std::vector<CoverageProblem> problems = {
      {scalar("white", white), "law", {3, 10}, {2, 10}, {2, 10}},
      {scalar("one direction", one_direction), "law", {10}, {2, 3, 5, 10}, {2, 10}},
      {scalar("AR(1)", coloured(0.25)), "law", {10}, {10}, {}},
      // nothing granted but that the colour is one of order one
      {scalar("unknown colour",
              {{"autoregressive", 1}, {"covariance", {{"ar1", 0.8}, {"variance", 0.1}}}}),
       "law",
       {},
       {40},
       {}},
      {with_patch(scalar("known offset", white), {{"system", {{"d", json::array({0.5})}}}}),
       "law",
       {10},
       {10},
       {}},
      {with_patch(scalar("mean, affine", white),
                  {{"response", {{"affine", true}}},
                   {"disturbance", {{"zero_mean", false}, {"mean", {{"x0", 1}, {"w", 0.3}}}}}}),
       "law",
       {10},
       {10},
       {10}},
      // ||w|| = sqrt(4 0.1), and sqrt(10) times that
      {scalar("signs", bounded(0.633, 3)), "signs", {10}, {10}, {10}},
      {scalar("rare signs", bounded(2.001, 30)), "rare-signs", {10}, {2, 10}, {2, 10}},
      {scalar("uniform",
              with_patch(bounded(1.0955, 3), {{"distribution", "uniform"}})),  // sqrt(3 0.4)
       "law",
       {10},
       {10},
       {10}},
      // kurtosis 3 E s^4, s^2 the scales of the mixture: 97.07
      {scalar("mixture", {{"model", "any"},
                          {"kurtosis", 98},
                          {"scale_bound", 0.1},
                          {"covariance_bound", 0.1},
                          {"covariance", 0.1}}),
       "mixture",
       {10},
       {10},
       {}},
      {double_integrator("double integrator", white), "law", {10}, {10}, {}},
      {double_integrator("double integrator, AR(1)", coloured(0.5502)), "law", {40}, {40}, {}},
  };
  return problems;
}

const CoverageProblem& coverage_problem(const std::string& name) {
  for (const CoverageProblem& problem : coverage_problems())
    if (problem.tree["name"] == name) return problem;
  throw_input_error("coverage problem", "'" + name + "'", "a built-in one");
}

json patched_problem(const std::string& name, const json& patch) {
  json tree = coverage_problem(name).tree;
  if (!patch.is_null()) tree.merge_patch(patch);
  return tree;
}

}  // namespace loopcert
