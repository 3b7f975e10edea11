#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <optional>

#include "calibration/coverage.hpp"
#include "certificate/fixed_response.hpp"
#include "core/check.hpp"
#include "core/parallel.hpp"
#include "core/sha256.hpp"
#include "coverage_stream.hpp"
#include "loopcert/core/error.hpp"
#include "problem/problem_json.hpp"

namespace loopcert {
namespace {

// A value this little below the truth is its rounding: certificates may be exact.
constexpr double rounding = 1e-9;

struct TrialRecord {
  std::optional<CoverageTrial> trial;
  bool refused = false;
  std::string reason;
};

TrialRecord record_trial(const std::function<CoverageTrial(const Disturbances&)>& trial,
                         const Disturbances& data) {
  TrialRecord record;
  try {
    record.trial = trial(data);
  } catch (const InputError& error) {
    record.refused = true;
    record.reason = error.what();
  } catch (const NumericsError& error) {
    record.reason = error.what();
  }
  return record;
}

bool is_oracle(const std::string& family, const std::string& kind) {
  if (family == "fixed") return false;
  for (const PosteriorKind& known : posterior_kinds())
    if (known.name == kind) return known.oracle;
  return false;
}

}  // namespace

Stream coverage_stream(std::uint64_t seed, const std::string& name) {
  return {seed, std::strtoull(sha256_hex(name).substr(0, 16).c_str(), nullptr, 16)};
}

CoverageCell make_coverage_cell(const nlohmann::json& tree, const std::string& family,
                                const std::string& kind, Index n, double delta, bool told) {
  CoverageCell cell;
  const CoverageFamily& found = coverage_family(family);
  cell.family = found.name;
  cell.kind = kind;
  cell.n = n;
  check_at_least("n", n, 1);
  cell.problem = problem_from_json(tree);
  require_known_plant(cell.problem, "coverage");
  if (!cell.problem.disturbance.law)
    throw_input_error("disturbance.covariance", "nothing", "the law to sample from");
  cell.source.law = *cell.problem.disturbance.law;
  const bool oracle = is_oracle(family, kind);
  if (!told && !oracle) cell.problem.disturbance.law.reset();
  if (oracle) cell.problem.learning.method = "oracle-pac-bayes";
  found.ask(cell.problem, kind, delta);
  return cell;
}

std::string coverage_cell_name(const CoverageCell& cell) {
  return fmt::format("{} {} on {}, n = {}{}", cell.family, cell.kind, cell.problem.name, cell.n,
                     cell.response == "start" ? "" : ", response " + cell.response);
}

CoverageResult run_coverage_cell(const CoverageCell& cell, Index sets, double delta,
                                 const CoverageRun& run) {
  const Stream stream = coverage_stream(run.seed, coverage_cell_name(cell));
  const CoverageShape& shape = coverage_shape(cell.source.shape);
  const auto trial = coverage_family(cell.family).prepare(cell);
  std::vector<TrialRecord> records(static_cast<size_t>(sets));
  parallel_for(sets, run.threads, [&](Index i) {
    if (run.interrupted && run.interrupted()) return;
    const auto first = static_cast<std::uint64_t>(i) * static_cast<std::uint64_t>(cell.n);
    records[static_cast<size_t>(i)] =
        record_trial(trial, shape.draw(cell.source.law, stream, cell.n, first));
  });

  CoverageResult result;
  result.cell = cell;
  result.counts.sets = sets;
  Index given = 0;
  for (const TrialRecord& record : records) {  // in the order of the data sets
    if (!record.trial) {
      ++(record.refused ? result.counts.refused : result.counts.failed);
      if (result.reason.empty()) result.reason = record.reason;
      continue;
    }
    const auto [value, truth] = *record.trial;
    result.counts.violations += value < truth - rounding * std::abs(truth);
    result.mean_value += value;
    result.mean_truth += truth;
    ++given;
  }
  if (given > 0) {
    result.mean_value /= static_cast<double>(given);
    result.mean_truth /= static_cast<double>(given);
  }
  result.verdict = judge(cell.rule, result.counts, delta);
  return result;
}

}  // namespace loopcert
