#include "measurement/measured_record.hpp"

#include "certificate/record_json.hpp"
#include "core/json_fields.hpp"
#include "core/sha256.hpp"
#include "data/hash.hpp"
#include "inspection/warnings.hpp"

namespace loopcert {
namespace {

using nlohmann::json;

json or_null(const std::optional<double>& value) { return value ? json(*value) : json(); }

}  // namespace

bool is_measured(const Certificate& certificate) {
  return certificate.kind.starts_with("measured-");
}

std::string costs_hash(const MatrixView& numbers) { return sha256_hex(row_bytes_of(numbers)); }

json measure_options_to_json(const MeasureOptions& options) {
  return {{"kind", options.kind},
          {"delta", options.delta},
          {"gaussian", options.gaussian},
          {"any_mean", options.any_mean},
          {"paired", options.paired},
          {"largest", or_null(options.largest)},
          {"kurtosis", or_null(options.kurtosis)}};
}

MeasureOptions measure_options_from_json(const json& tree) {
  MeasureOptions options;
  options.kind = text_field(tree, "kind");
  options.delta = number_field(tree, "delta");
  options.gaussian = flag_field(tree, "gaussian");
  options.any_mean = flag_field(tree, "any_mean");
  options.paired = flag_field(tree, "paired");
  options.largest = optional_number(tree, "largest");
  options.kurtosis = optional_number(tree, "kurtosis");
  return options;
}

json measured_to_json(const MeasureResult& measured) {
  json inputs = {{"measure", measure_options_to_json(measured.options)},
                 {"costs", costs_file},
                 {"costs_sha256", costs_hash(measured.costs)}};
  if (measured.against.size() > 0) {
    inputs["against"] = against_file;
    inputs["against_sha256"] = costs_hash(measured.against);
  }
  json tree = certificate_to_json(measured.certificate, inputs);
  tree["mean"] = measured.mean;
  tree["standard_error"] = measured.standard_error;
  if (measured.against_mean) {
    tree["against_mean"] = *measured.against_mean;
    tree["against_standard_error"] = *measured.against_standard_error;
  }
  tree["warnings"] = warnings_to_json(measured.warnings);
  return tree;
}

json measured_limits_to_json(const MeasureResult& measured) {
  const Certificate& limits = measured.limits.value();
  const json stated = {{"each", limits.functional.id == "violation-each"},
                       {"delta", limits.events.at(0).delta}};
  json tree = certificate_to_json(limits, {{"measure", stated},
                                           {"violations", violations_file},
                                           {"violations_sha256", costs_hash(measured.violations)}});
  tree["rows"] = measured.rows;  // what the columns of the violations are called
  return tree;
}

}  // namespace loopcert
