#include <fmt/format.h>

#include <set>

#include "calibration/coverage_plan.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

// Cells of one name would draw the same numbers: their results would not be two results.
void check_names(const CoveragePlan& plan) {
  std::set<std::string> names;
  const auto add = [&](const std::string& name) {
    if (!names.insert(name).second) throw InputError("cells: '" + name + "' occurs twice");
  };
  for (const CoverageCell& cell : plan.cells) add(coverage_cell_name(cell));
  for (const PremiseCell& cell : plan.premises) add(premise_cell_name(cell));
}

void check_sets(const CoveragePlan& plan) {
  if (violations_allowed(plan.sets, plan.delta) >= 0) return;
  Index least = plan.sets;
  while (violations_allowed(least, plan.delta) < 0) ++least;
  throw_input_error("sets", std::to_string(plan.sets),
                    fmt::format("at least {}: fewer cannot show that a certificate fails with "
                                "probability below {}",
                                least, plan.delta));
}

}  // namespace

Index CoverageReport::unexpected() const {
  Index count = 0;
  for (const CoverageResult& result : cells) count += !result.verdict.expected;
  for (const PremiseResult& result : premises) count += !result.verdict.expected;
  return count;
}

CoverageReport run_coverage(const CoveragePlan& plan, const CoverageRun& run,
                            const std::function<void(Index, Index)>& progress) {
  check_names(plan);
  check_sets(plan);
  CoverageReport report{plan.name, plan.delta, plan.sets, run.seed, {}, {}};
  const auto total = static_cast<Index>(plan.cells.size() + plan.premises.size());
  const auto stopped = [&] { return run.interrupted && run.interrupted(); };
  const auto tell = [&] {
    if (progress) progress(static_cast<Index>(report.cells.size() + report.premises.size()), total);
  };
  for (const CoverageCell& cell : plan.cells) {
    CoverageResult result = run_coverage_cell(cell, plan.sets, plan.delta, run);
    if (stopped()) return report;
    report.cells.push_back(std::move(result));
    tell();
  }
  for (const PremiseCell& cell : plan.premises) {
    PremiseResult result = run_premise_cell(cell, plan.sets, run);
    if (stopped()) return report;
    report.premises.push_back(std::move(result));
    tell();
  }
  return report;
}

}  // namespace loopcert
