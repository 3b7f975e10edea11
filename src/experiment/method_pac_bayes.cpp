// pac-bayes and oracle-pac-bayes: minimize a certificate over Gaussian posteriors, deploy the mean.
#include "loopcert/core/error.hpp"
#include "loopcert/core/parallel.hpp"
#include "loopcert/core/sha256.hpp"
#include "loopcert/experiment/certificate_files.hpp"
#include "loopcert/learning/pac_bayes.hpp"
#include "methods.hpp"

namespace loopcert {
namespace {

// Below this size threads cost more than they bring.
constexpr Index threads_from_p = 20'000;

// A certificate that cannot be minimized (it samples) is evaluated at the posterior that minimizes
// the paper's.
const CertificateKind& objective_kind(const CertificateKind& wanted) {
  return wanted.setup ? wanted : certificate_kind(wanted.oracle ? "oracle" : "data-driven");
}

Learned learn_by(const LearnTask& task, const std::string& name, bool oracle_allowed) {
  const Problem& problem = task.problem;
  const CertificateKind& kind = certificate_kind(name);
  const CertificateKind& objective = objective_kind(kind);
  if (kind.oracle && !oracle_allowed)
    throw_input_error("certificate.kind", "'" + kind.name + "'",
                      "one that data can give for method pac-bayes (oracle-pac-bayes may use it)");
  const Assumptions assumptions = assumptions_of(problem);
  const Evidence evidence = evidence_of(task.data);
  const Prior prior = make_prior(problem, task.space);
  const auto setting = [&](const CertificateKind& k) {
    return Setting{problem.system, task.space, assumptions, evidence, deltas_of(problem, k.events)};
  };
  const BoundSetup setup = objective.setup(setting(objective));

  PacBayesOptions options;
  options.threads = task.space.p() >= threads_from_p ? default_threads() : 1;
  options.on_step = task.callbacks.step;
  const PacBayesResult result = minimize_bound(task.space, setup.inputs, prior, options);

  Learned learned;
  learned.response = response_at(problem.system, task.space, result.posterior.mean);
  learned.stopped_early = result.status != SolverStatus::converged;
  learned.certificate = evaluate_certificate(kind, setting(kind), prior, result.posterior);
  learned.certificate->solver = {solver_status_name(result.status), result.iterations,
                                 result.gradient_norm};
  learned.certificate->inputs = certificate_inputs(problem, task.data);
  learned.certificate->inputs["prior"] = {{"center", problem.learning.prior_center},
                                          {"scale", prior.scale}};
  learned.certificate->inputs["posterior"] = "posterior.npz";
  learned.certificate->inputs["posterior_sha256"] = sha256_hex(format_posterior(result.posterior));
  learned.posterior = result.posterior;
  const CertificateKind& oracle = certificate_kind("oracle");
  if (!oracle.needs({assumptions, problem.sizes(), evidence.n, task.space.pattern.constant})) {
    Setting prescient = setting(oracle);
    prescient.delta = {{"pac_bayes", setting(kind).delta.at("pac_bayes")}};  // the same event
    learned.prescient_certificate =
        evaluate_certificate(oracle, prescient, prior, result.posterior).value;
  }
  learned.details = {{"objective", objective.name},
                     {"evaluations", result.evaluations},
                     {"kl", result.bound.kl},
                     {"sensitivity_bound", result.bound.C}};
  if (learned.stopped_early)
    learned.warnings.push_back("the optimizer ended with status '" +
                               solver_status_name(result.status) +
                               "': the certificate is valid, a smaller one may exist");
  return learned;
}

}  // namespace

Learned learn_pac_bayes(const LearnTask& task) {
  return learn_by(task, task.problem.certificate.kind, false);
}

Learned learn_oracle_pac_bayes(const LearnTask& task) {
  const std::string& kind = task.problem.certificate.kind;
  const bool named_oracle = certificate_kind(kind).oracle;
  return learn_by(task, named_oracle ? kind : "oracle", true);
}

}  // namespace loopcert
