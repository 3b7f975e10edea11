#include "loopcert/core/error.hpp"
#include "loopcert/data/fingerprint.hpp"
#include "loopcert/experiment/certificate_files.hpp"

namespace loopcert {

Verification verify_certificate(const std::filesystem::path& certificate,
                                const Disturbances& data) {
  const Problem problem = problem_of_certificate(certificate);
  Reevaluation result;
  try {
    if (!problem.data.keep_repeated) check_repeated(data);
    result = reevaluate_certificate(certificate, data);
    check_certificate(result.recorded);
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
