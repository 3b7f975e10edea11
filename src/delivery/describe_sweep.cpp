#include "core/json_fields.hpp"
#include "delivery/describe.hpp"
#include "loopcert/core/error.hpp"
#include "report/text.hpp"
#include "sweeps/sweep_failures.hpp"

namespace loopcert {
namespace {

using Json = nlohmann::json;

// The name people read: the label, and which certificate when there is one.
std::string method_name(const Json& row) {
  const std::string label = text_at(row, "label");
  std::string name = label.empty() ? text_at(row, "method") : label;
  if (!row.contains("certificate")) return name;
  const Json& certificate = row["certificate"];
  const std::string kind =
      certificate.is_object() ? text_at(certificate, "kind") : text_at(row, "certificate");
  return kind.empty() ? name : name + ", " + kind;
}

// Which job it was: "plant, erm, n = 10".
std::string place_of(const Json& row) {
  const std::optional<double> n = number_at(row, "n");
  return text_at(row, "problem") + ", " + method_name(row) +
         (n ? ", n = " + report::nice_number(*n, 9) : "");
}

bool read_row(const Json& row, report::SweepRow& out) {
  if (!row.is_object() || text_at(row, "status") == "failed" || !number_at(row, "n")) return false;
  out.problem = text_at(row, "problem");
  out.method = method_name(row);
  out.n = *number_at(row, "n");
  if (out.problem.empty() || out.method.empty() || !(out.n >= 0)) return false;
  out.seed = row.contains("seed") ? row["seed"].dump() : "";
  out.cost = number_at(row, "population_cost");
  if (!out.cost) out.cost = number_at(row, "test_cost");
  out.sensitivity = number_at(row, "sensitivity");
  out.certificate = number_at(row, "certificate_value");
  if (row.contains("certificate") && !out.certificate)
    out.certificate = number_at(row["certificate"], "value");
  out.prescient_certificate = number_at(row, "prescient_certificate");
  out.lqr_cost = number_at(row, "lqr_cost");
  out.optimal_cost = number_at(row, "optimal_cost");
  // Only of exact costs: to drop the simulated ones that came out too small would bias the mean.
  const std::optional<double> exact = number_at(row, "population_cost");
  if (exact && out.optimal_cost && *exact > *out.optimal_cost * (1 + 1e-9))
    out.excess = *exact - *out.optimal_cost;
  return true;
}

}  // namespace

report::SweepReport describe_sweep(const Json& results) {
  const Json* rows = &results;
  report::SweepReport sweep;
  sweep.title = "Sweep";
  if (results.is_object()) {
    if (!text_at(results, "name").empty()) sweep.title = "Sweep " + text_at(results, "name");
    if (!results.contains("results")) throw InputError("results: missing: not a record of a sweep");
    rows = &results["results"];
  }
  if (!rows->is_array()) throw InputError("results: not a list of rows: not a record of a sweep");
  FailureCounts failures;
  for (const Json& row : *rows) {
    report::SweepRow out;
    const std::string failure = failure_of(row);
    if (!failure.empty())
      failures.add(failure, place_of(row));
    else if (read_row(row, out))
      sweep.rows.push_back(std::move(out));
    else
      ++sweep.skipped;
  }
  for (const FailureReason& reason : failures.reasons())
    sweep.failures.push_back(
        {reason.message, reason.count, {reason.where.begin(), reason.where.end()}});
  sweep.record = *rows;
  return sweep;
}

}  // namespace loopcert
