#include "cli/limits_output.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/number_from.hpp"
#include "core/text.hpp"
#include "loopcert/core/rounded.hpp"
#include "loopcert/delivery/words.hpp"

namespace loopcert::app {

std::string limits_claim(const Limits& limits, const Certificate& c) {
  if (limits.robust)
    return c.value > 0 ? "not shown to hold for every disturbance of the set"
                       : "never broken by a disturbance of the set";
  return fmt::format("broken {} with probability at most {}, confidence {}",
                     limits.each ? "by the worst row in a step" : "in an episode",
                     bound_text(c.value), confidence_text(c.confidence));
}

void add_limits(Table& table, const std::optional<LimitsReport>& limits, const Certificate* cost,
                const std::string& reference) {
  if (!limits) return;
  const LimitsReport& report = *limits;
  const auto percent = [](double share) { return fmt::format("{:.3g} %", 100 * share); };
  if (report.bound) {
    const Certificate& c = report.bound->certificate;
    const std::string kind = c.chosen.empty() ? c.kind : c.kind + ": " + c.chosen;
    table.add("limits", limits_claim(report.limits, c) + " (" + kind + ")");
    if (c.value > report.limits.probability && !report.limits.robust)
      table.add("  not certified", "the data do not show the probability of " +
                                       number_text(report.limits.probability) +
                                       " that was asked for");
    for (const std::string& sentence : assumption_words(c.assumptions))
      if (!cost ||
          std::none_of(cost->assumptions.begin(), cost->assumptions.end(),
                       [&](const Statement& s) { return assumption_words(s) == sentence; }))
        table.add("  assuming", sentence);
    if (cost)
      table.add("  cost and limits together",
                fmt::format("confidence {}",
                            confidence_text(std::max(0.0, cost->confidence + c.confidence - 1))));
    table.add("  about", "the controller without clipping");
  }
  const auto add = [&](const char* name, const std::optional<Violations>& own,
                       const std::optional<Violations>& lqr) {
    if (own)
      table.add(name, fmt::format("limits broken in {} of the episodes, by {} in {}",
                                  percent(own->episodes), reference, percent(lqr->episodes)));
  };
  add(report.bound ? "  on the data" : "limits on the data", report.on_data, report.lqr_on_data);
  add(report.bound ? "  under the law" : "limits under the law", report.under_law,
      report.lqr_under_law);
  if (report.design && report.design->feasible && report.design->price.size() > 0 &&
      report.design->price.maxCoeff() > 0) {
    Index first = 0;
    for (const LimitRow& row : report.limits.rows) {
      const double price = report.design->price.segment(first, row.steps()).sum();
      first += row.steps();
      if (price > 1e-6 * report.design->cost)
        table.add("  price of " + row.name,
                  fmt::format("{:.3g} less cost if it were 1 % wider", price / 100));
    }
  }
}

std::string optimum_text(double cost, const std::optional<LimitsReport>& limits) {
  if (!limits) return cost_text(cost);
  const bool shared = !limits->limits.robust && !limits->limits.each;
  return cost_text(cost) +
         (shared ? " with an equal share of the probability for each limit" : " under the limits");
}

std::string no_optimum_text(const Limits& limits) {
  return std::string("no controller keeps the limits") +
         (limits.robust || limits.each ? "" : " with an equal share of the probability for each");
}

namespace {

// "x0", "y0" and "u0" of a record, as the log files call them.
std::string name_in_logs(const std::string& name, const DataLayout& layout) {
  const std::vector<ColumnSpec>& columns = name[0] == 'u' ? layout.inputs : layout.states;
  const auto number = number_from<std::uint32_t>(name.substr(1));
  return number && *number < columns.size() ? signal_text(columns[*number]) : name;
}

}  // namespace

void add_signals(Table& table, const SignalReport& report, const Problem& problem) {
  if (report.sizes.empty()) return;
  table.add("signals", std::string("mean size, rms, 95 % and 99 % level, ") +
                           (report.from == "law"    ? "under the law"
                            : report.from == "data" ? "on the data"
                                                    : "of the estimate"));
  constexpr std::size_t most = 12;
  for (std::size_t i = 0; i < report.sizes.size() && i < most; ++i) {
    const SignalSize& s = report.sizes[i];
    table.add("  " + name_in_logs(s.name, problem.data),
              fmt::format("{:<10.4g} {:<10.4g} {:<10.4g} {:.4g}", s.expected, s.rms, s.level_95,
                          s.level_99));
  }
  if (report.sizes.size() > most)
    table.add("  others", fmt::format("{} more, in run.json", report.sizes.size() - most));
}

}  // namespace loopcert::app
