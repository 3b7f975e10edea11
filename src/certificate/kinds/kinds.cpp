#include "certificate/kinds.hpp"

#include "core/check.hpp"
#include "core/find_named.hpp"
#include "core/text.hpp"
#include "kinds/kind_list.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {

const std::vector<PosteriorKind>& posterior_kinds() {
  static const std::vector<PosteriorKind> kinds = [] {
    std::vector<PosteriorKind> table = {
#define ADD(maker) maker(),
#include "kinds/posterior_kinds.inc"
    };
    for (const EnvelopeKind& envelope : envelope_kinds())
      if (!envelope.posterior.name.empty()) table.push_back(posterior_under(envelope));
    return table;
  }();
  return kinds;
}

const PosteriorKind& posterior_kind(const std::string& name) {
  return find_named(posterior_kinds(), name, "certificate.kind");
}

Deltas split_delta(const std::vector<std::string>& events, std::optional<double> total,
                   const std::vector<std::pair<std::string, double>>& parts) {
  Deltas deltas;
  if (events.empty()) return deltas;  // nothing can fail
  if (!parts.empty()) {
    const std::map<std::string, double> given(parts.begin(), parts.end());
    for (const std::string& event : events) {
      const auto found = given.find(event);
      if (found == given.end())
        throw_input_error("certificate.delta", "no part '" + event + "'",
                          "parts " + join(events) + " for this certificate, or one number");
      deltas[event] = found->second;
    }
  } else {
    const double delta = total.value_or(0.05);
    for (const std::string& event : events)
      deltas[event] = delta / static_cast<double>(events.size());
  }
  double sum = 0;
  for (const auto& [event, delta] : deltas) {
    check_probability("certificate.delta." + event, delta);
    sum += delta;
  }
  check_probability("certificate.delta", sum);
  return deltas;
}

void share_among_priors(Setting& setting, Index priors) {
  setting.delta.at("pac_bayes") /= static_cast<double>(priors);
  setting.priors = priors;
}

Certificate certificate_of_bound(const PosteriorKind& kind, const BoundSetup& setup,
                                 const BoundValue& bound, Index n) {
  Certificate c;
  c.kind = kind.name;
  c.subject = kind.subject;
  c.oracle = kind.oracle;
  c.n = n;
  c.kl = bound.kl;
  c.lambda = bound.complexity.lambda;
  c.events = setup.events;
  c.assumptions = setup.assumptions;
  c.terms = {{"empirical-mean-response", bound.empirical},
             {setup.spread, bound.spread},
             {"complexity", bound.complexity.value}};
  if (setup.inputs.mean_radius > 0)
    c.terms.insert(c.terms.begin() + 2, {"mean-mismatch", bound.mean_event});
  c.value = 0;
  for (const Term& term : c.terms) c.value += term.value;
  c.confidence = confidence_of(c.events);
  check_certificate(c);
  return c;
}

Certificate evaluate_certificate(const PosteriorKind& kind, const Setting& setting,
                                 const Prior& prior, const Posterior& posterior) {
  check_prior(prior, setting.space.coordinates.pattern);
  check_posterior(posterior, setting.space.coordinates.pattern);
  if (kind.evaluate) {
    Certificate c = kind.evaluate(setting, prior, posterior);
    check_certificate(c);
    return c;
  }
  const BoundSetup setup = kind.setup(setting);
  const BoundValue bound = evaluate_bound(setting.space.cost, setup.inputs, prior, posterior);
  return certificate_of_bound(kind, setup, bound, setting.evidence.n);
}

}  // namespace loopcert
