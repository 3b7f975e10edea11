#include "sweep_export.hpp"

#include <array>
#include <utility>

#include "core/csv_text.hpp"
#include "core/file.hpp"
#include "core/json.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

using Json = nlohmann::json;

// The columns, and where in a record their values are.
struct Column {
  const char* name;
  const char* pointer;
};
constexpr std::array columns = {
    Column{"problem", "/problem"},
    Column{"label", "/label"},
    Column{"method", "/method"},
    Column{"certificate_kind", "/certificate/kind"},
    Column{"certificate_chosen", "/certificate/chosen"},
    Column{"n", "/n"},
    Column{"seed", "/seed"},
    Column{"status", "/status"},
    Column{"p", "/p"},
    Column{"gamma", "/gamma"},
    Column{"test", "/test"},
    Column{"test_cost", "/test_cost"},
    Column{"test_standard_error", "/test_standard_error"},
    Column{"population_cost", "/population_cost"},
    Column{"sensitivity", "/sensitivity"},
    Column{"empirical_cost", "/empirical_cost"},
    Column{"lqr_cost", "/lqr_cost"},
    Column{"optimal_cost", "/optimal_cost"},
    Column{"certificate", "/certificate/value"},
    Column{"confidence", "/certificate/confidence"},
    Column{"improvement", "/improvement"},
    Column{"kl", "/certificate/kl"},
    Column{"lambda", "/certificate/lambda"},
    Column{"prescient_certificate", "/prescient_certificate"},
    Column{"failure", "/failure"},
};

std::string csv_field(const Json& value) {
  if (value.is_null()) return "";
  return value.is_string() ? csv_text(value.get<std::string>()) : value.dump();
}

// The record as it is exported, after a look that everything the columns need is there: a store may
// come from anywhere.
Json checked_record(const SweepJobs& jobs, const SweepJob& job, const std::string& text) {
  Json record = parse_json(text);
  const Problem& problem = jobs.variants.at(job.variant).problem;
  const Json expected = {{"problem", problem.name},
                         {"method", problem.learning.method},
                         {"n", job.n},
                         {"seed", job.seed},
                         {"test", jobs.test}};
  for (const auto& [key, value] : expected.items())
    if (!record.is_object() || !record.contains(key) || record[key] != value)
      throw InputError("the stored result is of another job, or damaged: its " + key + " is not " +
                       value.dump());
  record["label"] = jobs.variants.at(job.variant).label;
  const std::string failure = failure_of(record);
  record["failure"] = failure.empty() ? Json() : Json(failure);
  if (!record.contains("certificate"))
    throw InputError("the stored result is damaged: it has no certificate");
  const bool certified = record["certificate"].is_object();
  if (!certified && !record["certificate"].is_null())
    throw InputError("the stored result is damaged: its certificate is not a table");
  for (const Column& column : columns) {
    const Json::json_pointer pointer(column.pointer);
    if (!certified && pointer.parent_pointer().to_string() == "/certificate") continue;
    if (!record.contains(pointer) || record[pointer].is_structured())
      throw InputError(std::string("the stored result is damaged: its ") + column.name +
                       " is not a single value");
  }
  return record;
}

std::string csv_row(const Json& record) {
  std::string row;
  for (const Column& column : columns) {
    const Json::json_pointer pointer(column.pointer);
    if (!row.empty() || &column != columns.data()) row += ',';
    if (record.contains(pointer)) row += csv_field(record[pointer]);
  }
  return row + "\n";
}

std::string csv_head() {
  std::string head;
  for (const Column& column : columns) head += (head.empty() ? "" : ",") + std::string(column.name);
  return head + "\n";
}

}  // namespace

std::vector<FailureReason> export_results(const SweepJobs& jobs, const SweepStore& store,
                                          const std::filesystem::path& store_path) {
  FailureCounts failed;
  std::string csv = csv_head();
  std::string rows =
      "{\"format\": \"loopcert sweep results 1\",\n \"name\": " + Json(jobs.name).dump() +
      ",\n \"results\": [";
  for (const SweepJob& job : jobs.jobs) {
    const Json record = at_place(store_path.string() + ": " + job_name(jobs, job), [&] {
      return checked_record(jobs, job, store.record(job.key).value_or(""));
    });
    if (record["failure"].is_string()) failed.add(record["failure"].get<std::string>());
    csv += csv_row(record);
    rows += (&job == jobs.jobs.data() ? "\n  " : ",\n  ") + record.dump();
  }
  rows += "\n]}\n";
  const std::filesystem::path folder = store_path.parent_path();
  write_together({{folder / "results.csv", csv}, {folder / "results.json", rows}});
  return failed.reasons();
}

}  // namespace loopcert
