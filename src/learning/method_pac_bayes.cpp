// pac-bayes and oracle-pac-bayes: minimize a certificate over Gaussian posteriors, deploy the mean.
#include <fmt/format.h>

#include <algorithm>

#include "certificate/certificate_choice.hpp"
#include "certificate/from_problem.hpp"
#include "certificate/portfolio.hpp"
#include "certificate/premises.hpp"
#include "learning/families.hpp"
#include "learning/learn_limited.hpp"
#include "learning/path.hpp"
#include "learning/priors.hpp"
#include "loopcert/core/error.hpp"
#include "methods.hpp"

namespace loopcert {
namespace {

// What "best" minimizes: the first of these that is granted. Fixed before any data; the sharpest
// assumption comes first.
const PosteriorKind& first_granted(const Premises& premises) {
  for (const char* name : {"known-covariance", "scale", "white", "one-sided", "relative",
                           "data-driven-rank-aware", "data-driven-mean", "bounded-self", "bounded"})
    if (const PosteriorKind& kind = posterior_kind(name); !kind.needs(premises)) return kind;
  throw InputError(
      "certificate.kind: the stated assumptions allow no PAC-Bayes certificate for 'best': state "
      "more under disturbance, or use method auto");
}

// A certificate that cannot be minimized (it samples) is evaluated at the posterior that minimizes
// its closed-form relative.
const PosteriorKind& objective_kind(const PosteriorKind& wanted) {
  return wanted.setup ? wanted : posterior_kind(wanted.minimized);
}

// Beyond this size matrices of every column are too much for a choice that nobody asked for.
constexpr Index block_up_to_p = 2000;

// The family that the problem names. For "best", which may choose: one covariance for each column.
const PosteriorFamily& family_of(const LearningOptions& learning, bool best, Index p) {
  if (!learning.posterior.empty()) return posterior_family(learning.posterior);
  return posterior_family(best && p <= block_up_to_p ? "block" : "diagonal");
}

struct Fit {
  PacBayesResult result;
  Prior prior;
  std::string device = {};                 // where it was minimized
  std::vector<std::string> warnings = {};  // for people
};

// What a failing device leaves undone is done by the processor; what it finished is kept.
template <class Work>
PacBayesResult on_device(ChosenBackend& chosen, const CausalPattern& pattern, BoundPath& path,
                         std::vector<std::string>& warnings, const Work& work) {
  try {
    return work();
  } catch (const DeviceError& error) {
    if (!chosen.gpu) throw;
    warnings.push_back(
        fmt::format("{} {} ({}): the processor went on from there", chosen.backend->name(),
                    error.out_of_memory ? "has no memory left" : "failed", error.what()));
  }
  const DeviceScope cpu(DeviceChoice::cpu);
  chosen = choose_backend(pattern);
  path.move_to(*chosen.backend);
  return work();
}

// The smallest bound over the priors; each had its share of delta.
Fit fit(const LearnTask& task, const PriorSetting& priors, const PosteriorKind& objective,
        const Deltas& deltas, const PosteriorFamily& family) {
  const Assumptions& assumptions = task.problem.disturbance;
  const Evidence evidence = evidence_of(priors.certifying.data);
  Setting setting{task.problem.system, task.space, assumptions, evidence, deltas};
  share_among_priors(setting, static_cast<Index>(priors.priors.size()));
  const BoundSetup setup = objective.setup(setting);
  PacBayesOptions options;
  const CausalPattern& pattern = task.space.coordinates.pattern;
  ChosenBackend chosen = choose_backend(pattern);
  options.backend = chosen.backend.get();
  options.on_step = task.callbacks.step;
  BoundPath path(task.space.cost, options);  // the same data certify at every prior
  std::optional<Fit> best;
  std::vector<std::string> warnings;
  for (const Prior& prior : priors.priors) {
    PacBayesResult result = on_device(chosen, pattern, path, warnings, [&] {
      options.backend = chosen.backend.get();
      return minimize_in_family(family, task.space.cost, setup.inputs, prior, options,
                                path.next(setup.inputs, prior));
    });
    const bool interrupted = result.status == SolverStatus::interrupted;
    if (!best || result.bound.value < best->result.bound.value) best = {std::move(result), prior};
    if (interrupted) break;
  }
  best->device = chosen.backend->name();
  best->warnings = std::move(warnings);
  return std::move(*best);
}

// The bound of the same posterior under the true law, with the same delta for the same event.
std::optional<double> prescient(const LearnTask& task, const PriorSetting& priors, const Fit& fit,
                                double delta) {
  const Assumptions& assumptions = task.problem.disturbance;
  const PosteriorKind& oracle = posterior_kind("oracle");
  const Evidence evidence = evidence_of(priors.certifying.data);
  Setting setting{task.problem.system, task.space, assumptions, evidence, {{"pac_bayes", delta}}};
  share_among_priors(setting, static_cast<Index>(priors.priors.size()));
  if (oracle.needs(premises_of(setting))) return std::nullopt;
  return evaluate_certificate(oracle, setting, fit.prior, fit.result.posterior).value;
}

void set_solver(const Fit& fit, Certificate& certificate) {
  certificate.solver = {solver_status_name(fit.result.status), fit.result.iterations,
                        fit.result.gradient_norm};
}

// A checker cannot learn: it takes the center of a learned prior from the file.
Matrix learned_center(const Problem& problem, const Prior& prior) {
  return problem.learning.prior_center == "split" ? prior.center : Matrix();
}

// The posterior's mean moves to where the limits hold, by the risk and the prior's pull; the
// certificate is valid for every posterior. Where its limits are certified by events that hold for
// all responses, with the least room that passes.
void limit_mean(const LearnTask& task, Fit& fit, Learned& learned) {
  const double lambda = fit.result.bound.complexity.lambda, scale = fit.prior.scale;
  const auto n = static_cast<double>(task.data.n());
  const double pull = lambda > 0 ? 1 / (2 * lambda * (n - 1) * scale * scale) : 0.0;
  const Matrix center = fit.result.posterior.mean;
  // Conjugate gradients cannot do much more than the risk itself, nor sizes that have nothing in
  // common; there a prior that is alike in all directions means nothing either.
  constexpr double alike = 1e8;
  const Vector of_u = task.space.cost.P.diagonal(), of_w = task.Sigma_hat.diagonal();
  const bool pulls = of_u.maxCoeff() * of_w.maxCoeff() < alike * of_u.minCoeff() * of_w.minCoeff();
  const double gamma = pulls ? std::min(pull, of_u.mean() * of_w.mean()) : 0;
  learned.objective = LearnedObjective{task.Sigma_hat, gamma, center};
  const auto limit = [&](double factor) {
    const double had = limit_response(learned, task, factor);
    fit.result.posterior.mean = learned.limited->Z;
    return had;
  };
  choose_factor(learned, task, limit);
}

// `wanted`: the kind to hand back; nullptr for the portfolio.
Learned learn_by(const LearnTask& task, const PriorSetting& priors, const PosteriorKind* wanted) {
  const Problem& problem = task.problem;
  const auto choices = static_cast<Index>(priors.priors.size());
  const Assumptions& assumptions = problem.disturbance;
  const PosteriorKind& objective =
      wanted ? objective_kind(*wanted)
             : first_granted({assumptions, problem.sizes(), priors.certifying.data.n(),
                              task.space.coordinates.pattern.constant});
  const auto deltas = [&](const PosteriorKind& kind) {
    return wanted ? deltas_of(problem, kind.events)
                  : split_delta(kind.events, total_delta(problem), {});
  };
  const PosteriorFamily& family = family_of(problem.learning, !wanted, task.space.coordinates.p());
  Fit best = fit(task, priors, objective, deltas(objective), family);

  Learned learned;
  learned.response =
      response_at(problem.system, task.space.coordinates, best.result.posterior.mean);
  if (problem.limits) limit_mean(task, best, learned);
  learned.warnings = best.warnings;
  learned.stopped_early = best.result.status != SolverStatus::converged;
  learned.certificate =
      wanted ? evaluate_choice(problem, task.space, priors.certifying, *wanted, deltas(*wanted),
                               best.prior, choices, best.result.posterior)
             : best_posterior_certificate(problem, task.space, priors.certifying, best.prior,
                                          choices, best.result.posterior);
  set_solver(best, *learned.certificate);
  if (assumptions.law)
    learned.prescient_certificate =
        prescient(task, priors, best, deltas(wanted ? *wanted : objective).at("pac_bayes"));
  learned.details = {{"objective", objective.name},
                     {"posterior", best.result.posterior.frame ? family.name : "diagonal"},
                     {"device", best.device},
                     {"evaluations", best.result.evaluations},
                     {"kl", best.result.bound.kl},
                     {"prior_scale", best.prior.scale},
                     {"certifying", priors.certifying.data.n()},
                     {"sensitivity_bound", best.result.bound.C}};
  if (problem.limits) {  // what the optimizer ended with is not what is deployed
    learned.details.erase("sensitivity_bound");
    learned.details["kl"] =
        learned.certificate->kl ? nlohmann::json(*learned.certificate->kl) : nlohmann::json();
  }
  if (learned.stopped_early)
    learned.warnings.push_back("the optimizer ended with status '" +
                               solver_status_name(best.result.status) +
                               "': the certificate is valid, a smaller one may exist");
  learned.prior_center = learned_center(problem, best.prior);
  learned.prior = best.prior;
  learned.posterior = std::move(best.result.posterior);
  return learned;
}

PriorSetting named_priors(const LearnTask& task) {
  return make_priors(task.problem, task.space, task.data, task.callbacks);
}

Learned learn_pac_bayes(const LearnTask& task) { return learn_at_priors(task, named_priors(task)); }

Learned learn_oracle_pac_bayes(const LearnTask& task) {
  const CertificateChoice choice = certificate_choice(task.problem.certificate.kind);
  const bool named = choice.posterior && choice.posterior->oracle;
  return learn_by(task, named_priors(task), named ? choice.posterior : &posterior_kind("oracle"));
}

}  // namespace

Learned learn_at_priors(const LearnTask& task, const PriorSetting& priors) {
  const CertificateChoice choice = certificate_choice(task.problem.certificate.kind);
  if (choice.route == Route::best) return learn_by(task, priors, nullptr);
  if (choice.route != Route::posterior || choice.posterior->oracle)
    throw_input_error("certificate.kind", "'" + task.problem.certificate.kind + "'",
                      "best, or a PAC-Bayes kind without the true law for method pac-bayes "
                      "(oracle-pac-bayes may use an oracle)");
  return learn_by(task, priors, choice.posterior);
}

LearnMethod pac_bayes_method() { return {.learn = learn_pac_bayes, .posterior = true}; }

LearnMethod oracle_pac_bayes_method() {
  return {.learn = learn_oracle_pac_bayes, .posterior = true};
}

}  // namespace loopcert
