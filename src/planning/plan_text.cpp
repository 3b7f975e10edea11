// A plan in words and as JSON.
#include <fmt/format.h>

#include <cmath>

#include "planning/plan.hpp"

namespace loopcert {

std::string plan_answer(const Plan& plan) {
  const std::string share = fmt::format("{:.0f} %", 100 * plan.options.fraction);
  if (plan.enough)
    return fmt::format(
        "about {} trajectories: at least {} of the simulated data sets of that size give a "
        "certificate below {:.6g}",
        *plan.enough, share, plan.options.target);
  std::string text = fmt::format("not below {:.6g} for {} of the data sets up to {} trajectories",
                                 plan.options.target, share, plan.options.max_n);
  if (plan.options.target <= plan.optimal_cost && !plan.limits_shared)
    text += fmt::format(
        "; no number of trajectories is enough: under this law every controller costs at "
        "least {:.6g}",
        plan.optimal_cost);
  return text;
}

std::string plan_notice(const Plan& plan) {
  return std::string(
             "This is an estimate by simulation, not a certificate. The spread is that of "
             "simulated "
             "data sets under one law; ") +
         (plan.law.pilot > 0
              ? "a pilot cannot show how far that law is from the true one. Certify on "
                "trajectories that the plan did not use, because it chose their number."
              : "it is as accurate as the law in the problem file.");
}

nlohmann::json plan_to_json(const Plan& plan) {
  using nlohmann::json;
  const auto number = [](double value) { return std::isfinite(value) ? json(value) : json(); };
  json points = json::array();
  for (const PlanPoint& p : plan.points)
    points.push_back({{"n", p.n},
                      {"certified", p.certified},
                      {"low", number(p.low)},
                      {"median", number(p.median)},
                      {"high", number(p.high)},
                      {"share_below", p.share},
                      {"cost", number(p.cost)},
                      {"limits_certified", plan.limits ? json(p.kept) : json()},
                      {"failure", p.failure.empty() ? json() : json(p.failure)}});
  return {{"status", "done"},
          {"estimate", true},
          {"notice", plan_notice(plan)},
          {"problem", plan.problem},
          {"method", plan.method},
          {"certificate", plan.certificate},
          {"law", plan.law.source},
          {"pilot", plan.law.pilot},
          {"shrinkage", plan.law.shrinkage ? json(*plan.law.shrinkage) : json()},
          {"target", plan.options.target},
          {"fraction", plan.options.fraction},
          {"trials", plan.options.trials},
          {"max_n", plan.options.max_n},
          {"enough", plan.enough ? json(*plan.enough) : json()},
          {"optimal_cost", number(plan.optimal_cost)},
          {"answer", plan_answer(plan)},
          {"points", points}};
}

}  // namespace loopcert
