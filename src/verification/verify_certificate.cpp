#include "data/fingerprint.hpp"
#include "loopcert/controller/controller_file.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/verification/recheck.hpp"
#include "recompute.hpp"
#include "verification/certified_response.hpp"

namespace loopcert {
namespace {

// What learn wrote beside its certificate, and may have been exchanged. (That of certify has a hash
// in the record.)
void check_controller_beside(const std::filesystem::path& certificate) {
  const std::filesystem::path path = certificate.parent_path() / "controller.json";
  if (!std::filesystem::exists(path) || read_record(certificate).inputs.contains("controller"))
    return;
  check_realizes(certificate, read_controller(path));
}

}  // namespace

Verification verify_certificate(const std::filesystem::path& certificate,
                                const Disturbances& data) {
  const Problem problem = problem_of_certificate(certificate);
  Reevaluation result;
  try {
    if (!problem.data.keep_repeated) check_repeated(data, problem.system.plant);
    result = reevaluate_certificate(certificate, data);
    check_certificate(result.recorded);
    if (result.agrees) check_controller_beside(certificate);
  } catch (const InputError& error) {
    return {false, error.what(), {}, {}};
  } catch (const NumericsError& error) {
    return {false, certificate.string() + ": " + error.what(), {}, {}};
  }
  if (!result.agrees)
    return {false,
            certificate.string() + ": does not follow from its inputs: " + result.disagreement,
            {},
            {}};
  return {true, "", std::move(result.recorded), std::move(result.recomputed)};
}

}  // namespace loopcert
