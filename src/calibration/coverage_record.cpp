// coverage.json and coverage.csv. No times: the same plan and seed give the same bytes.
#include <fmt/format.h>

#include "calibration/coverage_plan.hpp"
#include "core/csv_text.hpp"
#include "core/text.hpp"

namespace loopcert {
namespace {

using nlohmann::json;

json cell_to_json(const CoverageResult& r) {
  const CoverageCounts& c = r.counts;
  const Interval i = clopper_pearson(c.violations, c.sets, 0.95);
  return {{"family", r.cell.family},
          {"kind", r.cell.kind},
          {"problem", r.cell.problem.name},
          {"shape", r.cell.source.shape},
          {"response", r.cell.response},
          {"n", r.cell.n},
          {"rule", coverage_rule_name(r.cell.rule)},
          {"sets", c.sets},
          {"violations", c.violations},
          {"refused", c.refused},
          {"failed", c.failed},
          {"rate", static_cast<double>(c.violations) / static_cast<double>(c.sets)},
          {"rate_low", i.low},
          {"rate_high", i.high},
          {"mean_value", r.mean_value},
          {"mean_truth", r.mean_truth},
          {"expected", r.verdict.expected},
          {"verdict", r.verdict.text},
          {"reason", r.reason}};
}

json premise_to_json(const PremiseResult& r) {
  return {{"cumulant", r.cell.cumulant},
          {"prior", r.cell.prior},
          {"problem", r.cell.problem.name},
          {"shape", r.cell.source.shape},
          {"n", r.cell.n},
          {"rule", coverage_rule_name(r.cell.rule)},
          {"lambda", r.lambda},
          {"sets", r.sets},
          {"mean", r.mean},
          {"low", r.interval.low},
          {"high", r.interval.high},
          {"expected", r.verdict.expected},
          {"verdict", r.verdict.text}};
}

std::string csv_field(const json& value) {
  if (value.is_number_float()) return number_text(value.get<double>());
  return value.is_string() ? csv_text(value.get<std::string>()) : value.dump();
}

}  // namespace

json coverage_to_json(const CoverageReport& report) {
  json cells = json::array(), premises = json::array();
  for (const CoverageResult& r : report.cells) cells.push_back(cell_to_json(r));
  for (const PremiseResult& r : report.premises) premises.push_back(premise_to_json(r));
  return {{"status", report.unexpected() == 0 ? "as expected" : "unexpected"},
          {"plan", report.plan},
          {"delta", report.delta},
          {"sets", report.sets},
          {"seed", report.seed},
          {"violations_allowed", violations_allowed(report.sets, report.delta)},
          {"unexpected", report.unexpected()},
          {"cells", cells},
          {"premises", premises}};
}

std::string coverage_csv(const CoverageReport& report) {
  const std::vector<std::string> keys = {
      "family",   "kind",      "problem",    "shape",      "response", "n",
      "rule",     "sets",      "violations", "refused",    "failed",   "rate",
      "rate_low", "rate_high", "mean_value", "mean_truth", "expected", "verdict"};
  std::string text = join(keys, ",") + "\n";
  for (const CoverageResult& r : report.cells) {
    const json record = cell_to_json(r);
    std::vector<std::string> fields;
    for (const std::string& key : keys) fields.push_back(csv_field(record[key]));
    text += join(fields, ",") + "\n";
  }
  return text;
}

}  // namespace loopcert
