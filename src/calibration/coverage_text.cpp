#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "calibration/coverage_plan.hpp"
#include "coverage_table.hpp"

namespace loopcert {
namespace {

const Row cell_head = {"family",     "kind", "problem",       "n",          "sets",
                       "violations", "rate", "95 % interval", "value/true", "verdict"};
const Row premise_head = {"cumulant", "response", "problem",         "n",      "lambda",
                          "sets",     "mean",     "99.9 % interval", "verdict"};

std::string interval_text(const Interval& interval) {
  return fmt::format("{:.4f} to {:.4f}", interval.low, interval.high);
}

std::string verdict_text(const CoverageVerdict& verdict, bool control) {
  if (!verdict.expected) return "UNEXPECTED: " + verdict.text;
  return verdict.text + (control ? ", as expected" : "");
}

bool is_control(CoverageRule rule) {
  return rule == CoverageRule::fails || rule == CoverageRule::refused;
}

double rate_of(const CoverageCounts& counts) {
  return static_cast<double>(counts.violations) / static_cast<double>(counts.sets);
}

// A true improvement may be negative: then a ratio means nothing.
std::string ratio_text(const CoverageResult& r) {
  return r.mean_truth > 0 ? fmt::format("{:.3g}", r.mean_value / r.mean_truth) : "-";
}

Row cell_row(const CoverageResult& r) {
  const CoverageCounts& c = r.counts;
  std::string violations = std::to_string(c.violations);
  if (c.refused > 0) violations += fmt::format(", {} refused", c.refused);
  std::string verdict = verdict_text(r.verdict, is_control(r.cell.rule));
  if (!r.verdict.expected && !r.reason.empty()) verdict += " (" + r.reason + ")";
  return {r.cell.family,
          r.cell.kind,
          r.cell.problem.name,
          std::to_string(r.cell.n),
          std::to_string(c.sets),
          violations,
          fmt::format("{:.4f}", rate_of(c)),
          interval_text(clopper_pearson(c.violations, c.sets, 0.95)),
          ratio_text(r),
          verdict};
}

Row premise_row(const PremiseResult& r) {
  return {r.cell.cumulant,
          r.cell.prior ? "from the prior" : "start",
          r.cell.problem.name,
          std::to_string(r.cell.n),
          fmt::format("{:.3g}", r.lambda),
          std::to_string(r.sets),
          fmt::format("{:.4f}", r.mean),
          interval_text(r.interval),
          verdict_text(r.verdict, is_control(r.cell.rule))};
}

// One row per family and kind: the cell with the most violations, the smallest mean value/true.
std::vector<Row> kind_rows(const CoverageReport& report) {
  std::map<std::pair<std::string, std::string>, std::vector<const CoverageResult*>> kinds;
  std::vector<std::pair<std::string, std::string>> order;
  for (const CoverageResult& r : report.cells) {
    if (r.cell.rule != CoverageRule::below) continue;
    auto& list = kinds[{r.cell.family, r.cell.kind}];
    if (list.empty()) order.emplace_back(r.cell.family, r.cell.kind);
    list.push_back(&r);
  }
  std::vector<Row> rows;
  for (const auto& key : order) {
    const auto& list = kinds[key];
    const auto more = [](const CoverageResult* a, const CoverageResult* b) {
      return a->counts.violations < b->counts.violations;
    };
    const auto nearer = [](const CoverageResult* a, const CoverageResult* b) {
      return a->mean_value * b->mean_truth < b->mean_value * a->mean_truth;
    };
    const CoverageResult& worst = **std::max_element(list.begin(), list.end(), more);
    const CoverageResult& tightest = **std::min_element(list.begin(), list.end(), nearer);
    const auto good = std::count_if(list.begin(), list.end(),
                                    [](const CoverageResult* r) { return r->verdict.expected; });
    rows.push_back(
        {key.first, "`" + key.second + "`", std::to_string(list.size()),
         std::to_string(worst.counts.violations),
         worst.counts.violations > 0
             ? fmt::format("{}, n = {}", worst.cell.problem.name, worst.cell.n)
             : "-",
         interval_text(clopper_pearson(worst.counts.violations, worst.counts.sets, 0.95)),
         ratio_text(tightest), fmt::format("{} of {}", good, list.size())});
  }
  return rows;
}

std::vector<Row> cell_rows(const CoverageReport& report, bool (*wanted)(CoverageRule)) {
  std::vector<Row> rows;
  for (const CoverageResult& r : report.cells)
    if (wanted(r.cell.rule)) rows.push_back(cell_row(r));
  return rows;
}

std::vector<Row> premise_rows(const CoverageReport& report) {
  std::vector<Row> rows;
  for (const PremiseResult& r : report.premises) rows.push_back(premise_row(r));
  return rows;
}

bool ordinary(CoverageRule rule) { return rule == CoverageRule::below; }
bool tight(CoverageRule rule) { return !ordinary(rule) && !is_control(rule); }

std::string summary(const CoverageReport& report) {
  return fmt::format(
      "{} data sets per cell, delta {}, seed {}: at most {} violations allowed; "
      "{} of {} verdicts as expected.\n",
      report.sets, report.delta, report.seed, violations_allowed(report.sets, report.delta),
      static_cast<Index>(report.cells.size() + report.premises.size()) - report.unexpected(),
      report.cells.size() + report.premises.size());
}

}  // namespace

std::string coverage_text(const CoverageReport& report) {
  return aligned_table("Certificates", cell_head, cell_rows(report, ordinary)) +
         aligned_table("Certificates that fail with probability delta, or nearly", cell_head,
                       cell_rows(report, tight)) +
         aligned_table("Negative controls: one assumption violated on purpose", cell_head,
                       cell_rows(report, is_control)) +
         aligned_table("Exponential moments, at most 1", premise_head, premise_rows(report)) +
         summary(report);
}

std::string coverage_markdown(const CoverageReport& report) {
  const Row kind_head = {"family",
                         "kind",
                         "cells",
                         "most violations",
                         "where",
                         "95 % interval there",
                         "smallest value/true",
                         "below delta"};
  return summary(report) + "\n" + markdown_table("Certificates", kind_head, kind_rows(report)) +
         markdown_table("Tight cells", cell_head, cell_rows(report, tight)) +
         markdown_table("Negative controls", cell_head, cell_rows(report, is_control)) +
         markdown_table("Exponential moments", premise_head, premise_rows(report));
}

}  // namespace loopcert
