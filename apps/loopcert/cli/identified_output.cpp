#include "cli/identified_output.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/certificate_output.hpp"
#include "cli/identification_output.hpp"
#include "cli/limits_output.hpp"
#include "cli/warning_output.hpp"
#include "core/text.hpp"
#include "loopcert/core/rounded.hpp"

namespace loopcert::app {
namespace {

// Rows that are identified; larger plants are in run.json.
void add_estimate(Table& table, const IdentifiedRun& run) {
  constexpr Index most = 8;
  if (run.A.cols() > most) {
    table.detail("estimate",
                 fmt::format("{} states, {} inputs: see run.json", run.A.rows(), run.B.cols()));
    return;
  }
  for (Index i = 0; i < run.A.rows(); ++i) {
    if ((run.A_radius.row(i).array() <= 0).all()) continue;
    table.detail(fmt::format("  row {} of A", i + 1), row_text(run.A, run.A_radius, i));
    table.detail(fmt::format("  row {} of B", i + 1), row_text(run.B, run.B_radius, i));
  }
}

// With the cost's certificate, at one confidence.
void add_limits(Table& table, const Problem& problem, const IdentifiedRun& run) {
  if (!run.limits) return;
  const bool each = run.limits->functional.id == "violation-each";
  const double asked = problem.limits->probability;
  table.add("limits",
            fmt::format("broken {} with probability at most {}, together with the certificate "
                        "above ({})",
                        each ? "by the worst row in a step" : "in an episode",
                        bound_text(run.limits->value), run.limits->kind));
  if (run.limits->value > asked)
    table.add("  not certified", "the logs do not show the probability of " + number_text(asked) +
                                     " that was asked for");
  for (size_t r = 0, c = 0; r < problem.limits->rows.size(); ++r) {
    double price = 0;
    for (Index k = 0; k < problem.limits->rows[r].steps(); ++k) price += run.limited.prices[c++];
    if (price > 1e-6 * run.empirical_cost && run.limited.feasible)
      table.add("  price of " + problem.limits->rows[r].name,
                fmt::format("{:.3g} less cost if it were 1 % wider", price / 100));
  }
}

}  // namespace

Table identified_summary(const Problem& problem, const IdentifiedRun& run) {
  Table table;
  const auto add = [&](const char* name, const std::optional<double>& value) {
    if (value) table.add(name, cost_text(*value));
  };
  const bool endless = run.endless.has_value();
  add_certificate(table, run.certificate);
  add_warnings(table, run.warnings);
  add_limits(table, problem, run);
  if (run.improvement)
    table.add("change from u = 0", fmt::format("{} at most, at separate confidence {}",
                                               bound_text(run.improvement->value),
                                               confidence_text(run.improvement->confidence)));
  if (endless)
    table.add("  proved", "every plant that the logs allow is stable under this controller");
  table.add("problem", problem.name);
  table.add("method", run.method == run.design ? run.method : run.method + ": " + run.design);
  table.add(endless ? "logs" : "episodes", std::to_string(run.n));
  table.add("transitions",
            fmt::format("{}, after {} that choose a scale", run.transitions, run.pilot));
  double largest = 0;
  for (const auto& pole : run.poles) largest = std::max(largest, std::abs(pole));
  table.add("largest pole", fmt::format("{:.4g} (closed loop of the estimate)", largest));
  if (run.logged_cost)
    table.add(endless ? "logged cost of a step" : "logged cost",
              endless
                  ? cost_text(run.logged_cost->mean)
                  : fmt::format("{} +- {:.2g} (of the logged controller)",
                                cost_text(run.logged_cost->mean), run.logged_cost->standard_error));
  add("cost of the estimate", run.empirical_cost);
  add("population cost", run.population_cost);
  if (run.optimal_cost)
    table.add("smallest population cost",
              cost_text(*run.optimal_cost) + (run.limits ? " without the limits" : ""));
  add_signals(table, run.signals, problem);
  add_certificate_details(table, run.certificate);
  add_estimate(table, run);
  table.add("seconds", fmt::format("{:.3g}", run.seconds));
  return table;
}

}  // namespace loopcert::app
