#include "overrides.hpp"

#include "failure.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/experiment/certificate_choice.hpp"

namespace loopcert::app {

void override_learning(Problem& problem, const std::optional<std::string>& method,
                       const std::optional<std::string>& certificate) {
  try {
    if (method) problem.learning.method = find_learn_method(*method, "--method").name;
    if (method == "auto" && !certificate) problem.certificate.kind = "best";
    if (!certificate) return;
    const CertificateChoice choice = certificate_choice(*certificate, "--certificate");
    const LearnMethod& used = find_learn_method(problem.learning.method);
    if (!gives(used, choice))
      throw UsageError("--certificate: method " + used.name + " gives no '" + *certificate + "'");
    problem.certificate.kind = *certificate;
    fit_delta(problem.certificate);
  } catch (const InputError& error) {
    throw UsageError(error.what());
  }
}

}  // namespace loopcert::app
