#include "workflow/evaluate_run.hpp"

#include <algorithm>

#include "certificate/complexity.hpp"
#include "certificate/from_problem.hpp"
#include "certificate/portfolio.hpp"
#include "core/check.hpp"
#include "learning/priors.hpp"
#include "loopcert/core/error.hpp"
#include "workflow/learning_setup.hpp"
#include "workflow/posterior_law.hpp"

namespace loopcert {
namespace {

// The problem's parts where they are about this kind; else the total, shared equally.
Deltas deltas_at(const Problem& problem, const PosteriorKind& kind) {
  const auto& parts = problem.certificate.parts;
  const bool named = std::all_of(kind.events.begin(), kind.events.end(), [&](const auto& event) {
    return std::any_of(parts.begin(), parts.end(),
                       [&](const auto& part) { return part.first == event; });
  });
  return named ? deltas_of(problem, kind.events)
               : split_delta(kind.events, total_delta(problem), {});
}

PriorSetting priors_for(const Problem& problem, const ResponseSpace& space,
                        const Disturbances& data, const std::optional<Prior>& own) {
  if (!own) return make_priors(problem, space, data);
  check_prior(*own, space.coordinates.pattern);
  return {{*own}, {data}};
}

PosteriorKind with_lambda(PosteriorKind kind, const std::optional<double>& lambda) {
  if (!lambda) return kind;
  if (!kind.setup)
    throw_input_error("lambda", "a number for certificate '" + kind.name + "'",
                      "none: this kind chooses its own");
  kind.setup = [setup = kind.setup, lambda](const Setting& setting) {
    BoundSetup fixed = setup(setting);
    fixed.inputs.lambda = lambda;
    return fixed;
  };
  return kind;
}

// What all kinds are asked about.
struct Question {
  const Problem& problem;
  const ResponseSpace& space;
  const PriorSetting& priors;
  const Posterior& posterior;
  const std::optional<double>& lambda;
};

// C and the mean term, of the kinds whose psi is made of them.
void add_moments(BoundAt& bound, const Question& q, const PosteriorKind& kind, const Prior& prior) {
  if (!kind.setup) return;
  const Evidence evidence = evidence_of(q.priors.certifying.data);
  const BoundSetup setup = kind.setup(
      {q.problem.system, q.space, q.problem.disturbance, evidence, deltas_at(q.problem, kind)});
  const BoundValue value = evaluate_bound(q.space.cost, setup.inputs, prior, q.posterior);
  if (setup.inputs.psi != Psi::cross) bound.C = value.C;
  bound.mean_term = value.mean_term;
}

// (rate + psi)/lambda is the term "complexity"; psi is what is left.
void add_parts(BoundAt& bound) {
  const Certificate& c = *bound.certificate;
  const auto event = std::find_if(c.events.begin(), c.events.end(),
                                  [](const Event& e) { return e.id == "pac_bayes"; });
  const auto term = std::find_if(c.terms.begin(), c.terms.end(),
                                 [](const Term& t) { return t.id == "complexity"; });
  const double delta = event->delta / static_cast<double>(event->choices);
  bound.rate = pac_bayes_rate(c.kl.value(), c.n, delta, event->choices);
  bound.psi = c.lambda.value() * term->value - bound.rate;
}

// With a grid of prior scales, the smallest: delta is shared by them.
BoundAt bound_at(const Question& q, const PosteriorKind& asked) {
  BoundAt bound{asked.name};
  const PosteriorKind kind = with_lambda(asked, q.lambda);
  const auto choices = static_cast<Index>(q.priors.priors.size());
  const Prior* used = nullptr;
  for (const Prior& prior : q.priors.priors) {
    Certificate c = evaluate_choice(q.problem, q.space, q.priors.certifying, kind,
                                    deltas_at(q.problem, kind), prior, choices, q.posterior);
    if (bound.certificate && bound.certificate->value <= c.value) continue;
    bound.certificate = std::move(c);
    used = &prior;
  }
  bound.prior_scale = used->scale;
  add_parts(bound);
  add_moments(bound, q, kind, *used);
  return bound;
}

std::vector<BoundAt> all_bounds(const Question& q) {
  std::vector<BoundAt> bounds;
  for (const PosteriorKind& kind : posterior_kinds()) {
    try {
      bounds.push_back(bound_at(q, kind));
    } catch (const InputError& error) {
      bounds.push_back({kind.name, std::nullopt, error.what()});
    } catch (const NumericsError& error) {
      bounds.push_back({kind.name, std::nullopt, error.what()});
    }
  }
  return bounds;
}

}  // namespace

Evaluation evaluate_posterior(const Problem& problem, const Posterior& posterior,
                              const Disturbances& data, const EvaluateOptions& options) {
  require_known_plant(problem, "evaluate");
  check_memory_for(problem);
  check_disturbances(data, problem.sizes());
  if (options.lambda) check_positive("lambda", *options.lambda);
  const ResponseSpace space = make_response_space(problem.system, problem.response);
  check_posterior(posterior, space.coordinates.pattern);
  const PriorSetting priors = priors_for(problem, space, data, options.prior);
  const Question question{problem, space, priors, posterior, options.lambda};

  Evaluation evaluation;
  evaluation.n = data.n();
  evaluation.p = space.coordinates.p();
  if (options.kind == "all")
    evaluation.bounds = all_bounds(question);
  else
    evaluation.bounds = {bound_at(question, posterior_kind(options.kind))};
  if (problem.disturbance.law) add_law(evaluation, problem, space, posterior);
  std::vector<const Certificate*> certificates;
  for (const BoundAt& bound : evaluation.bounds)
    if (bound.certificate) certificates.push_back(&*bound.certificate);
  evaluation.warnings = data_warnings(problem, data, certificates);
  return evaluation;
}

GlobalCheck global_check(const Problem& problem, const Disturbances& data, const std::string& name,
                         const std::optional<Prior>& prior) {
  check_memory_for(problem);
  check_disturbances(data, problem.sizes());
  const PosteriorKind& kind = posterior_kind(name);
  if (!kind.setup) throw_input_error("certificate", "'" + name + "'", "one that can be minimized");
  const ResponseSpace space = make_response_space(problem.system, problem.response);
  const PriorSetting priors = priors_for(problem, space, data, prior);
  if (priors.priors.size() != 1)
    throw_input_error("learning.prior.scale", "\"grid\"", "one number for the global check");
  const Evidence evidence = evidence_of(priors.certifying.data);
  const BoundSetup setup =
      kind.setup({problem.system, space, problem.disturbance, evidence, deltas_at(problem, kind)});
  return global_minimum(space.cost, setup.inputs, priors.priors[0]);
}

}  // namespace loopcert
