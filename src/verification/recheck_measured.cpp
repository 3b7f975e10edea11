#include "verification/recheck_measured.hpp"

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

}  // namespace

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
