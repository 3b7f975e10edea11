#include <algorithm>

#include "loopcert/core/check.hpp"
#include "loopcert/experiment/certificate_choice.hpp"
#include "loopcert/experiment/certificate_files.hpp"
#include "loopcert/response/lqr.hpp"
#include "portfolio.hpp"

namespace loopcert {
namespace {

// The part of delta that each family gets, by what the method may deploy.
std::vector<std::pair<std::string, double>> shares(const LearnMethod& method) {
  if (method.gated) return {{"fixed", 0.4}, {"cross", 0.5}, {"posterior", 0.1}};
  if (method.needs_data) return {{"cross", 0.9}, {"posterior", 0.1}};
  return {{"fixed", 0.9}, {"posterior", 0.1}};
}

std::vector<Entry> fixed_entries(const Premises& premises, const std::string& family) {
  std::vector<Entry> entries;
  for (const FixedKind& kind : fixed_kinds()) {
    if (kind.events.empty() || kind.compares) continue;
    entries.push_back({family == "cross" ? cross_name(kind) : kind.name, family, &kind, nullptr,
                       granted_needs(kind, premises)});
  }
  return entries;
}

// share_delta, without the kinds that have no value at all because n is too small for their part.
void share_feasibly(std::vector<Entry>& entries, const std::string& family, double delta,
                    Premises premises, Index folds) {
  share_delta(entries, family, delta);
  for (Entry& entry : entries) {
    if (entry.family != family || !entry.fixed || !entry.needs.empty()) continue;
    premises.delta = entry.delta / static_cast<double>(folds);
    entry.needs = granted_needs(*entry.fixed, premises);
    if (!entry.needs.empty()) entry.delta = 0;
  }
  share_delta(entries, family, delta);
}

// Prior around LQR and posterior around what was deployed, of the same scale: no optimizer is
// needed, and for LQR itself KL = 0. Kinds that sample were left out.
void evaluate_posteriors(const Problem& problem, const ResponseSpace& space,
                         const Deployment& deployment, const Disturbances& data,
                         std::vector<Entry>& entries) {
  const auto choices = static_cast<Index>(prior_scales().size());
  const Matrix center = coordinates_of(space, lqr_response(problem.system));
  const Matrix mean = coordinates_of(space, deployed_response(deployment));
  const Matrix free = unpack(space.pattern, Vector::Ones(space.p()));
  const Assumptions assumptions = assumptions_of(problem);
  const Evidence evidence = evidence_of(data);
  for (Entry& entry : entries) {
    if (entry.family != "posterior" || !entry.needs.empty()) continue;
    const CertificateKind& kind = *entry.posterior;
    Setting setting{problem.system, space, assumptions, evidence,
                    split_delta(kind.events, entry.delta, {})};
    setting.delta.at("pac_bayes") /= static_cast<double>(choices);
    const BoundSetup setup = kind.setup(setting);  // one envelope for all priors
    for (const double scale : prior_scales()) {
      const Prior prior{center, scale};
      const Posterior posterior{mean, scale * scale * free};
      check_prior(prior, space.pattern);
      check_posterior(posterior, space.pattern);
      const BoundValue bound = evaluate_bound(space, setup.inputs, prior, posterior);
      Certificate c =
          pay_for_choices(certificate_of_bound(kind, setup, bound, evidence.n), choices);
      if (!entry.certificate || c.value < entry.certificate->value)
        entry.certificate = std::move(c);
    }
  }
}

}  // namespace

Certificate best_certificate(const Problem& problem, const LearnMethod& method,
                             const ResponseSpace& space, const Deployment& deployment,
                             const Disturbances& data) {
  const Assumptions assumptions = assumptions_of(problem);
  const bool offset = space.pattern.constant;
  const Premises all{assumptions, problem.sizes(), data.n(), offset};
  const Premises fold{assumptions, problem.sizes(), data.n() / problem.certificate.folds, offset};
  const auto families = shares(method);

  std::vector<Entry> entries = assumed_entries(all);
  for (const auto& [family, share] : families) {
    std::vector<Entry> added = family == "posterior"
                                   ? posterior_entries(all)
                                   : fixed_entries(family == "cross" ? fold : all, family);
    if (family == "posterior")  // thousands of draws for each prior would buy a few percent
      for (Entry& entry : added)
        if (entry.needs.empty() && !entry.posterior->setup)
          entry.needs = "nothing: a kind that samples is left to method pac-bayes";
    // Without a free offset column LQR need not be one of the responses that a prior is over.
    if (family == "posterior" && offset && !space.pattern.affine)
      for (Entry& entry : added) entry.needs = "response.affine: found false, expected true";
    entries.insert(entries.end(), added.begin(), added.end());
  }
  double used = 0;
  for (const auto& [family, share] : families)
    if (any_granted(entries, family)) used += share;
  for (const auto& [family, share] : families) {
    const bool cross = family == "cross";
    share_feasibly(entries, family, total_delta(problem) * share / used, cross ? fold : all,
                   cross ? problem.certificate.folds : 1);
  }

  for (Entry& entry : entries)
    if (entry.needs.empty() && (entry.family == deployment.way || entry.family == "assumed"))
      entry.certificate = certify_deployment(problem, deployment, data, *entry.fixed, entry.delta);
  evaluate_posteriors(problem, space, deployment, data, entries);
  return smallest(entries, data.n());
}

Certificate best_fixed_certificate(const Problem& problem, const Response& response,
                                   const Disturbances& data) {
  const Assumptions assumptions = assumptions_of(problem);
  const bool offset = !response.phi_x.isZero(0.0) || !response.phi_u.isZero(0.0);
  const Premises premises{assumptions, problem.sizes(), data.n(), offset};
  std::vector<Entry> entries = assumed_entries(premises);
  for (Entry& entry : fixed_entries(premises, "fixed")) entries.push_back(std::move(entry));
  share_feasibly(entries, "fixed", total_delta(problem), premises, 1);
  for (Entry& entry : entries)
    if (entry.needs.empty())
      entry.certificate =
          certify_deployment(problem, {"fixed", {response}}, data, *entry.fixed, entry.delta);
  return smallest(entries, data.n());
}

Certificate best_posterior_certificate(const Problem& problem, const ResponseSpace& space,
                                       const CertifyingPart& data, const Prior& prior,
                                       Index prior_choices, const Posterior& posterior) {
  const Assumptions assumptions = assumptions_of(problem);
  const Premises premises{assumptions, problem.sizes(), data.data.n(), space.pattern.constant};
  std::vector<Entry> entries = assumed_entries(premises);
  for (Entry& entry : posterior_entries(premises)) entries.push_back(std::move(entry));
  share_delta(entries, "posterior", total_delta(problem));
  const Deployment mean{"whole", {response_at(problem.system, space, posterior.mean)}};
  for (Entry& entry : entries) {
    if (!entry.needs.empty()) continue;
    if (entry.fixed)
      entry.certificate = certify_deployment(problem, mean, data.data, *entry.fixed, 0);
    else
      entry.certificate = evaluate_choice(problem, space, data, *entry.posterior,
                                          split_delta(entry.posterior->events, entry.delta, {}),
                                          prior, prior_choices, posterior);
  }
  return smallest(entries, data.data.n());
}

std::optional<Certificate> certified_improvement(const Problem& problem,
                                                 const Deployment& deployment,
                                                 const Disturbances& data) {
  const Assumptions assumptions = assumptions_of(problem);
  const std::vector<CertifyingPart> parts = certifying_parts(problem, deployment, data);
  if (parts.empty()) return std::nullopt;
  const bool offset = problem.response.affine || problem.system.plant.has_offset();
  const Premises premises{assumptions, problem.sizes(), parts.back().data.n(), offset};
  std::vector<Entry> entries;
  for (const FixedKind& kind : fixed_kinds())
    if (kind.compares)
      entries.push_back({kind.name, "fixed", &kind, nullptr, granted_needs(kind, premises)});
  if (!any_granted(entries, "fixed")) return std::nullopt;
  share_delta(entries, "fixed", total_delta(problem));
  for (Entry& entry : entries)
    if (entry.needs.empty())
      entry.certificate = certify_deployment(problem, deployment, data, *entry.fixed, entry.delta);
  return smallest(entries, data.n());
}

}  // namespace loopcert
