#include "loopcert/measurement/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "certificate/premises.hpp"
#include "core/check.hpp"
#include "core/text.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/simulation/rollout.hpp"
#include "measurement/cost_checks.hpp"
#include "measurement/logged_episodes.hpp"
#include "measurement/measured_certificate.hpp"

namespace loopcert {
namespace {

constexpr const char* portfolio = "measured-best";

void check_costs(const std::string& name, const Vector& costs, const MeasureOptions& options) {
  check_at_least(name, costs.size(), 1);
  for (Index i = 0; i < costs.size(); ++i) {
    const std::string place = fmt::format("{}: number {}", name, i + 1);
    check_finite(place, costs(i));
    if (costs(i) < 0) throw_input_error(place, number_text(costs(i)), "no cost below zero");
    if (options.largest && costs(i) > *options.largest)
      throw_input_error(place, number_text(costs(i)),
                        "at most the largest cost stated, " + number_text(*options.largest));
  }
}

// Naming a kind for Gaussian loops states that the loop is one.
MeasureOptions stated(MeasureOptions options, bool compares) {
  check_probability("delta", options.delta);
  if (options.kind == "measured-chi-square" || options.kind == "measured-ratio" ||
      options.kind == "measured-scale-free" || options.kind == "measured-ratio-any-mean")
    options.gaussian = true;
  if (!options.kind.empty() && options.kind != portfolio) {
    const MeasuredKind& kind = measured_kind(options.kind);
    if (kind.compares() != compares)
      throw_input_error("certificate", "'" + options.kind + "'",
                        compares ? "a kind that compares two controllers"
                                 : "a kind for one controller, or costs to compare with");
    if (kind.paired) options.paired = true;
    if (!kind.paired && options.paired)
      throw_input_error("certificate", "'" + options.kind + "'", "measured-paired for pairs");
    return options;
  }
  if (options.paired && !compares)
    throw_input_error("paired", "one set of costs", "two, to compare");
  if (compares && options.kind == portfolio)
    throw_input_error("certificate", "'" + options.kind + "'",
                      "one kind: they bound different "
                      "things");
  if (!options.gaussian && !options.largest && !options.kurtosis)
    throw_input_error("assumptions", "none",
                      "the largest cost (any plant, any law), a linear loop with Gaussian "
                      "disturbances, or a bound on the kurtosis");
  if (!compares)
    options.kind = portfolio;
  else if (options.paired)
    options.kind = "measured-paired";
  else if (options.gaussian)
    options.kind = options.any_mean ? "measured-ratio-any-mean" : "measured-ratio";
  else
    options.kind = "measured-difference";
  return options;
}

MeasureResult measured(const Vector& costs, const Vector& against, const MeasureOptions& given) {
  const bool compares = against.size() > 0;
  MeasureResult result;
  result.options = stated(given, compares);
  check_costs("costs", costs, result.options);
  if (compares) check_costs("costs to compare with", against, result.options);
  if (result.options.paired && costs.size() != against.size())
    throw_input_error("costs to compare with", std::to_string(against.size()),
                      fmt::format("{}: one for each of the pairs", costs.size()));
  result.costs = costs;
  result.against = against;
  const CostStatistics of_costs = cost_statistics(costs);
  result.mean = of_costs.mean;
  result.standard_error = of_costs.standard_error;
  if (compares) {
    const CostStatistics of_against = cost_statistics(against);
    result.against_mean = of_against.mean;
    result.against_standard_error = of_against.standard_error;
  }
  result.certificate = measured_certificate(result.options, samples_of(result));
  result.warnings = cost_warnings(result);
  return result;
}

}  // namespace

Samples samples_of(const MeasureResult& measured) {
  if (measured.options.paired) return {ascending(measured.costs - measured.against)};
  return {ascending(measured.costs), ascending(measured.against)};
}

MeasureResult measure(const Vector& costs, const MeasureOptions& options) {
  return measured(costs, {}, options);
}

MeasureResult measure(const Vector& costs, const Vector& against, const MeasureOptions& options) {
  check_at_least("costs to compare with", against.size(), 1);
  return measured(costs, against, options);
}

MeasureResult measure(const Problem& problem, const Rollouts& episodes,
                      const MeasureOptions& options) {
  MeasureResult result = measure(logged_costs(problem, episodes), options);
  if (!problem.limits) return result;
  const Limits& limits = *problem.limits;
  result.violations = logged_violations(limits, problem.sizes(), episodes);
  result.limits = certificate_of_violations(result.violations, limits.each, limits.delta);
  for (const LimitAt& at : limits_at_steps(limits))
    result.rows.push_back(limits.rows[static_cast<size_t>(at.row)].name);
  return result;
}

}  // namespace loopcert
