// Limits of a run with an identified plant: the certificate, its numbers as JSON, and sizes of
// signals.
#include <fmt/format.h>

#include <cmath>

#include "certificate/record_json.hpp"
#include "certificate/riccati_bound.hpp"
#include "core/json_fields.hpp"
#include "core/text.hpp"
#include "learning/priced_rows.hpp"
#include "loopcert/core/error.hpp"
#include "response/limit_rows.hpp"
#include "workflow/identified_run.hpp"

namespace loopcert {
namespace {

using nlohmann::json;

// bound_to_json without the gains, which all rows share.
json row_proof(const IdentifiedBound& bound) {
  json tree = bound_to_json(bound);
  tree.erase("gains");
  for (const char* key : {"tau", "nu"})
    if (tree[key] == 0) tree.erase(key);
  tree["value"] = bound.value;
  return tree;
}

IdentifiedBound row_proof_from(json tree) {
  const std::string bound = text_field(tree, "bound");
  IdentifiedBound found;
  if (bound == "none" || bound == "start" || bound == "static") {
    found.bound = bound;
  } else {
    tree["gains"] = json::array();
    for (const char* key : {"tau", "nu"})
      if (!tree.contains(key)) tree[key] = 0;
    found = bound_from_json(tree);
    if (found.bound == "difference")
      throw_input_error("bound", "'difference'", "riccati | expansion | start | static | none");
  }
  found.value = number_field(tree, "value");
  return found;
}

std::string step_text(const Problem& problem, const LimitAt& at) {
  const std::string name = problem.limits->rows[static_cast<size_t>(at.row)].name;
  return problem.model->infinite ? name : fmt::format("{} at step {}", name, at.t);
}

void warn_of_limits(IdentifiedRun& run, const Problem& problem) {
  const LimitedIdentified& found = run.limited;
  if (found.met) return;
  const std::string asked = number_text(problem.limits->probability);
  const std::string worst = step_text(problem, found.unmet->at);
  const std::string least = fmt::format(
      "the smallest bound on the violation is {:.3g}, and that of {} alone {:.3g}; it is deployed",
      run.limits->value, worst, found.unmet->violation);
  if (!found.feasible)
    run.warnings.push_back({"limits-infeasible",
                            fmt::format("no gains keep the probability of a violation at {}, even "
                                        "on the estimated plant: {}",
                                        asked, least)});
  else
    run.warnings.push_back(
        {"limits-not-certified",
         fmt::format("a violation with a probability of {} is possible on the estimated plant, but "
                     "not on all that the logs leave open: {}; more logs help",
                     asked, least)});
}

}  // namespace

json limit_bounds_to_json(const LimitBounds& bounds, bool infinite) {
  json rows = json::array();
  for (const RowBound& row : bounds.rows) {
    json tree = row_proof(row.variance);
    tree["variance"] = tree["value"];
    tree.erase("value");
    tree["row"] = row.at.row;
    if (!infinite) tree["step"] = row.at.t;
    tree["violation"] = row.violation;
    if (row.error) {
      tree["mean"] = row.mean;
      tree["mean_error"] = row_proof(*row.error);
    }
    rows.push_back(std::move(tree));
  }
  return {{"rows", rows}};
}

LimitBounds limit_bounds_from_json(const json& tree) {
  LimitBounds bounds;
  constexpr Index most = 1'000'000;
  for (const json& row : list_field(tree, "rows")) {
    RowBound found;
    found.at.row = whole_field(row, "row", 0, most);
    if (row.contains("step")) found.at.t = whole_field(row, "step", 0, most);
    json proof = row;
    proof["value"] = number_field(row, "variance");
    found.variance = row_proof_from(std::move(proof));
    if (row.contains("mean_error")) {
      found.mean = number_field(row, "mean");
      found.error = row_proof_from(field(row, "mean_error"));
    }
    found.violation = number_field(row, "violation");
    bounds.rows.push_back(std::move(found));
  }
  return bounds;
}

void add_limits(IdentifiedRun& run, const Problem& problem, const IdentifiedPlant& plant) {
  const Limits& limits = problem.limits.value();
  const LimitedIdentified& found = run.limited;
  run.limits = limits_certificate(problem, plant, found.limits);
  run.limits_inputs = run.inputs;
  run.limits_inputs["identified_limits"] =
      limit_bounds_to_json(found.limits, problem.model->infinite);
  json rows = json::array();
  size_t c = 0;
  for (const LimitRow& row : limits.rows) {
    json tree = {{"name", row.name},
                 {"low", std::isfinite(row.low) ? json(row.low) : json()},
                 {"high", std::isfinite(row.high) ? json(row.high) : json()},
                 {"x", std::vector<double>(row.x.begin(), row.x.end())},
                 {"u", std::vector<double>(row.u.begin(), row.u.end())},
                 {"bounds", json::array()},
                 {"prices", json::array()}};
    if (!problem.model->infinite) tree["steps"] = {row.first, row.last};
    for (Index t = row.first; t <= row.last; ++t, ++c) {
      tree["bounds"].push_back(found.limits.rows[c].violation);
      tree["prices"].push_back(found.prices[c]);
    }
    rows.push_back(std::move(tree));
  }
  run.limits_summary = {
      {"value", run.limits->value},
      {"kind", run.limits->kind},
      {"chosen", nullptr},
      {"functional", run.limits->functional.id},
      {"robust", false},
      {"joint",  // the same events: no delta is added
       {{"cost", run.certificate.value},
        {"violation", run.limits->value},
        {"confidence", run.limits->confidence}}},
      {"episodes",
       {{"data", nullptr}, {"lqr_data", nullptr}, {"law", nullptr}, {"lqr_law", nullptr}}},
      {"certificate", certificate_to_json(*run.limits)},
      {"confidence", run.limits->confidence},
      {"each", limits.each},
      {"probability", limits.probability},
      {"met", found.met},
      {"feasible", found.feasible},
      {"back_off", found.back_off},
      {"rows", rows}};
  warn_of_limits(run, problem);
}

void add_signals(IdentifiedRun& run, const IdentifiedPlant& plant) {
  const LinearModel& m = plant.model;
  const LoggedCovariances logged = logged_covariances(plant);
  const PricedLoop loop(plant.loop, logged.U_v, logged.U_0);
  const Index T = plant.loop.T;
  run.signals.from = "estimate";
  for (Index i = 0; i < m.n_y + m.n_u; ++i) {
    const bool input = i >= m.n_y;
    const Index entry = input ? m.n() + i - m.n_y : m.first() + i;
    std::vector<PricedRow> rows;
    for (Index t = T == 0 || input ? 0 : 1; t <= (T == 0 ? 0 : input ? T - 1 : T); ++t)
      rows.push_back({t, Vector::Unit(m.n() + m.n_u, entry), 0, 1});
    const PricedDesign at = loop.under(rows, run.bound.gains);
    run.signals.sizes.push_back(signal_size(
        input ? fmt::format("u{}", i - m.n_y) : fmt::format("x{}", i), at.mean, at.deviation));
  }
}

}  // namespace loopcert
