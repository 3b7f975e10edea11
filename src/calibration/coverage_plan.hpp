// Many coverage cells: the built-in list, lists from files, running them and showing the results.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "calibration/coverage.hpp"

namespace loopcert {

struct CoveragePlan {
  std::string name;
  double delta = 0.05;
  Index sets = 5000;
  std::vector<CoverageCell> cells;
  std::vector<PremiseCell> premises;
};

// Every kind of both registries on every built-in problem that grants what it needs, the negative
// controls and the premises.
CoveragePlan default_coverage_plan();

// Reads .toml or .json. Throws InputError.
CoveragePlan read_coverage_plan(const std::filesystem::path& path);

// Kinds that no cell of the plan covers (references that use the true law apart).
std::vector<std::string> kinds_without_cell(const CoveragePlan& plan);

struct CoverageReport {
  std::string plan;
  double delta = 0;
  Index sets = 0;
  std::uint64_t seed = 0;
  std::vector<CoverageResult> cells;
  std::vector<PremiseResult> premises;

  Index unexpected() const;
};

// `progress` is called from the calling thread, after each cell. Throws InputError when two cells
// are the same, or when so few data sets cannot show anything. After an interruption the report has
// the cells that were finished.
CoverageReport run_coverage(const CoveragePlan& plan, const CoverageRun& run,
                            const std::function<void(Index done, Index total)>& progress = {});

nlohmann::json coverage_to_json(const CoverageReport& report);
std::string coverage_csv(const CoverageReport& report);
std::string coverage_text(const CoverageReport& report);
// For docs/coverage.md: ordinary cells one row per kind, all others in full.
std::string coverage_markdown(const CoverageReport& report);

}  // namespace loopcert
