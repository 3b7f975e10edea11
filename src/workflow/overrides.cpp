#include "workflow/overrides.hpp"

#include "certificate/certificate_choice.hpp"
#include "learning/families.hpp"
#include "learning/learn_method.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

void override_certificate(Problem& problem, const std::string& kind, const std::string& place) {
  const CertificateChoice choice = certificate_choice(kind, place);
  const LearnMethod& used = find_learn_method(problem.learning.method);
  if (!gives(used, choice))
    throw InputError(place + ": method " + used.name + " gives no '" + kind + "'");
  problem.certificate.kind = kind;
  keep_total_delta(problem.certificate);
}

}  // namespace

void override_learning(Problem& problem, const LearningOverrides& overrides,
                       const std::string& prefix) {
  LearningOptions& learning = problem.learning;
  if (overrides.method)
    learning.method = find_learn_method(*overrides.method, prefix + "method").name;
  if (overrides.method == "auto" && !overrides.certificate) problem.certificate.kind = "best";
  if (overrides.certificate)
    override_certificate(problem, *overrides.certificate, prefix + "certificate");
  if (overrides.posterior) {
    if (!find_learn_method(learning.method).posterior)
      throw InputError(prefix + "posterior: method " + learning.method + " has none");
    learning.posterior = posterior_family(*overrides.posterior, prefix + "posterior").name;
  }
  if (!overrides.gamma) return;
  if (learning.method != "ridge")
    throw InputError(prefix + "gamma: only method ridge has one, and the method is " +
                     learning.method);
  learning.gamma = *overrides.gamma;
}

}  // namespace loopcert
