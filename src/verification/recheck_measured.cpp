#include "verification/recheck_measured.hpp"

#include "core/file.hpp"
#include "core/json.hpp"
#include "core/json_fields.hpp"
#include "core/text.hpp"
#include "data/npy.hpp"
#include "loopcert/core/error.hpp"
#include "measurement/logged_episodes.hpp"
#include "measurement/measured_record.hpp"
#include "recompute.hpp"

namespace loopcert {
namespace {

using nlohmann::json;

void check_numbers(const json& inputs, const std::string& role, const MatrixView& numbers) {
  check_hash(role, costs_hash(numbers), text_input(inputs, (role + "_sha256").c_str()));
}

// The file of that name beside the certificate: a record must not lead elsewhere.
Matrix numbers_beside(const std::filesystem::path& certificate, const json& inputs,
                      const std::string& role, const char* name) {
  if (text_input(inputs, role.c_str()) != name)
    throw_input_error("inputs." + role, "'" + one_line(text_input(inputs, role.c_str())) + "'",
                      name);
  const Array array = read_npy(certificate.parent_path() / name);
  const Matrix numbers = matrix_from_array(array);
  check_numbers(inputs, role, numbers);
  return numbers;
}

Certificate recomputed(const std::filesystem::path& certificate, const CertificateRecord& record,
                       const std::optional<Vector>& given) {
  const json& inputs = record.inputs;
  const json& measure_tree = field(inputs, "measure");
  if (record.certificate.kind == "measured-count") {
    const Matrix violations = numbers_beside(certificate, inputs, "violations", violations_file);
    return certificate_of_violations(violations, flag_field(measure_tree, "each"),
                                     number_field(measure_tree, "delta"));
  }
  const MeasureOptions options = measure_options_from_json(measure_tree);
  if (given) check_numbers(inputs, "costs", *given);
  const Vector costs =
      given ? *given : Vector(numbers_beside(certificate, inputs, "costs", costs_file).reshaped());
  if (!inputs.contains("against")) return measure(costs, options).certificate;
  const Vector against = numbers_beside(certificate, inputs, "against", against_file).reshaped();
  return measure(costs, against, options).certificate;
}

// Of logged episodes; `rows` are names for people.
void add_limits(MeasureResult& measured, const std::filesystem::path& path) {
  const CertificateRecord record = read_record(path);
  measured.limits = record.certificate;
  measured.violations = numbers_beside(path, record.inputs, "violations", violations_file);
  const json tree = parse_json(read_file(path, largest_record));
  const json rows = tree.value("rows", json::array());
  for (const json& name : rows)
    if (name.is_string()) measured.rows.push_back(name);
  if (static_cast<Index>(measured.rows.size()) != measured.violations.cols()) measured.rows.clear();
}

}  // namespace

MeasureResult read_measured(const std::filesystem::path& path) {
  const CertificateRecord record = read_record(path);
  const json tree = parse_json(read_file(path, largest_record));
  const std::filesystem::path limits = path.parent_path() / "limits.json";
  return at_place(path.string(), [&] {
    MeasureResult measured;
    measured.certificate = record.certificate;
    measured.options = measure_options_from_json(field(record.inputs, "measure"));
    measured.costs = numbers_beside(path, record.inputs, "costs", costs_file).reshaped();
    if (measured.costs.size() == 0) throw InputError("costs: found none");
    measured.mean = number_field(tree, "mean");
    measured.standard_error = number_field(tree, "standard_error");
    if (record.inputs.contains("against")) {
      measured.against = numbers_beside(path, record.inputs, "against", against_file).reshaped();
      measured.against_mean = number_field(tree, "against_mean");
      measured.against_standard_error = number_field(tree, "against_standard_error");
    }
    if (measured.options.paired && measured.costs.size() != measured.against.size())
      throw InputError("against: found another number of costs, expected one for each pair");
    if (tree.contains("warnings"))
      for (const json& warning : list_field(tree, "warnings"))
        measured.warnings.push_back({text_field(warning, "id"), text_field(warning, "text")});
    if (std::filesystem::exists(limits)) add_limits(measured, limits);
    return measured;
  });
}

Verification verify_measured(const std::filesystem::path& certificate,
                             const std::optional<Vector>& costs) {
  const CertificateRecord record = read_record(certificate);
  Verification result;
  try {
    result.recorded = record.certificate;
    result.recomputed = recomputed(certificate, record, costs);
    check_certificate(result.recorded);
    const std::string what = result.recorded.kind != result.recomputed.kind
                                 ? "kind"
                                 : difference(result.recorded, result.recomputed);
    result.agrees = what.empty();
    if (!what.empty())
      result.reason = certificate.string() + ": does not follow from its inputs: " + what;
  } catch (const InputError& error) {
    return {false, certificate.string() + ": " + error.what(), {}, {}};
  } catch (const NumericsError& error) {
    return {false, certificate.string() + ": " + error.what(), {}, {}};
  }
  return result;
}

}  // namespace loopcert
