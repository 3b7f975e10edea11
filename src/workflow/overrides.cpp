#include "workflow/overrides.hpp"

#include "certificate/certificate_choice.hpp"
#include "certificate/identified_cost.hpp"
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

// A plant that is identified has its own methods and its own certificate.
void override_identified(Problem& problem, const LearningOverrides& overrides,
                         const std::string& prefix) {
  if (overrides.method) {
    const std::string name = find_learn_method(*overrides.method, prefix + "method").name;
    if (name != "auto" && name != "identified" && name != "guaranteed")
      throw_input_error(prefix + "method", "'" + name + "'",
                        "identified | guaranteed | auto for a plant that is identified");
    problem.learning.method = name;
  }
  if (overrides.certificate) {
    const std::string kind = identified_kind_name(problem);
    if (*overrides.certificate != kind && *overrides.certificate != "best")
      throw_input_error(prefix + "certificate", "'" + *overrides.certificate + "'",
                        kind + ", the one for a plant that is identified over this horizon");
    problem.certificate.kind = *overrides.certificate;
  }
  if (overrides.posterior || overrides.gamma)
    throw InputError(prefix + (overrides.gamma ? "gamma" : "posterior") +
                     ": not for a plant that is identified");
}

}  // namespace

void override_learning(Problem& problem, const LearningOverrides& overrides,
                       const std::string& prefix) {
  if (problem.identifies()) {
    override_identified(problem, overrides, prefix);
    return;
  }
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
