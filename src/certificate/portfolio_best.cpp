#include <algorithm>
#include <cmath>

#include "certificate/certificate_choice.hpp"
#include "certificate/from_problem.hpp"
#include "certificate/premises.hpp"
#include "core/check.hpp"
#include "core/work.hpp"
#include "portfolio_parts.hpp"
#include "response/space.hpp"

namespace loopcert {
namespace {

// The part of delta that each family gets, by what may be deployed. Where a colour may be
// identified no prior pays.
std::vector<std::pair<std::string, double>> shares(Deployable deployable, bool coloured) {
  switch (deployable) {
    case Deployable::either:
      if (coloured) return {{"fixed", 0.65}, {"cross", 0.3}, {"uniform", 0.05}};
      return {{"fixed", 0.6}, {"cross", 0.3}, {"posterior", 0.1}};
    case Deployable::folds:
      if (coloured) return {{"cross", 0.9}, {"uniform", 0.1}};
      return {{"cross", 0.9}, {"posterior", 0.1}};
    case Deployable::part:
      if (coloured) return {{"hold-out", 0.9}, {"uniform", 0.1}};
      return {{"hold-out", 1.0}};
    case Deployable::fixed:
      break;
  }
  if (coloured) return {{"fixed", 0.9}, {"uniform", 0.1}};
  return {{"fixed", 0.9}, {"posterior", 0.1}};
}

// What decides about a kind: the data of its mean cost, and all where events hold for every
// response.
struct Ground {
  Premises certifying, all;
  Index bounds = 1;  // responses that an event on the mean cost is claimed of

  Premises of(const FixedResponseKind& kind, double delta) const {
    Premises premises = kind.shared.empty() ? certifying : all;
    premises.delta = kind.shared.empty() ? delta / static_cast<double>(bounds) : delta;
    return premises;
  }
};

// An event of all data is worth more than what each of many folds says of its own.
constexpr Index few_folds = 4;
std::optional<Objection> objection_in(const std::string& family, const Ground& ground,
                                      const FixedResponseKind& kind, const Premises& premises) {
  const std::optional<Objection> found = objection_to(kind, premises);
  const bool many = family == "cross" && ground.bounds > few_folds && !kind.shared.empty();
  return many && found && found->status == "dominated" ? std::nullopt : found;
}

std::vector<Entry> fixed_entries(const Ground& ground, const std::string& family) {
  std::vector<Entry> entries;
  for (const FixedResponseKind& kind : fixed_response_kinds()) {
    if (kind.events.empty() || kind.compares || kind.uniform() != (family == "uniform")) continue;
    Premises premises = kind.shared.empty() ? ground.certifying : ground.all;
    if (ground.certifying.n < 1) premises.n = 0;
    entries.push_back({family == "cross" ? cross_name(kind) : kind.name, family, &kind, nullptr,
                       objection_in(family, ground, kind, premises)});
  }
  return entries;
}

// Whether what may be deployed may have a constant part.
bool may_have_constant(const Problem& problem, Deployable deployable,
                       const Deployment& deployment) {
  if (problem.has_constant()) return true;
  if (deployable == Deployable::fixed) {
    const Response response = deployed_response(deployment);
    return !response.phi_x.isZero(0.0) || !response.phi_u.isZero(0.0);
  }
  return deployable == Deployable::either && problem.baseline && problem.baseline->fallback &&
         problem.baseline->has_constant();
}

// Of a path only the rest of the data.
Index certifying_count(const Problem& problem, Deployable deployable, Index n) {
  if (deployable != Deployable::part) return n;
  return n - static_cast<Index>(std::floor(problem.certificate.fraction * static_cast<double>(n)));
}

bool shares_in(const Entry& entry, const std::string& family) {
  return entry.family == family && entry.fixed && !entry.objection;
}

// A kind that could not be the smallest even if it had all of delta, and whatever the data are,
// leaves its share to the others.
void drop_hopeless(std::vector<Entry>& entries, const std::string& family, const Ground& ground,
                   double delta) {
  const Entry* best = nullptr;  // of those whose value is at most a known multiple of Lhat
  double most = INFINITY;
  for (const Entry& entry : entries) {
    if (!shares_in(entry, family) || !entry.fixed->most_factor) continue;
    const double factor = entry.fixed->most_factor(ground.of(*entry.fixed, delta));
    if (best && factor >= most) continue;
    best = &entry;
    most = factor;
  }
  if (!best) return;
  for (Entry& entry : entries)
    if (shares_in(entry, family) && &entry != best && entry.fixed->least_factor &&
        entry.fixed->least_factor(ground.of(*entry.fixed, delta)) >= most)
      entry.objection = Objection{"too-few-trajectories", std::nullopt, best->kind};
}

// Kinds that all the data there are make hopeless.
void drop_worthless(std::vector<Entry>& entries, Premises all, double delta) {
  all.delta = delta;
  for (Entry& entry : entries) {
    if (!entry.fixed || !entry.fixed->worthwhile || entry.objection) continue;
    if (const std::optional<Missing> missing = entry.fixed->worthwhile(all))
      entry.objection = Objection{"not-granted", missing};
  }
}

// share_mean, without the kinds that n is too small for.
void share_feasibly(std::vector<Entry>& entries, const std::string& family, double delta,
                    const Ground& ground) {
  share_mean(entries, family, delta, ground.certifying.n);
  for (Entry& entry : entries)
    if (shares_in(entry, family))
      entry.objection =
          objection_in(family, ground, *entry.fixed, ground.of(*entry.fixed, entry.mean_delta));
  drop_hopeless(entries, family, ground, delta);
  share_mean(entries, family, delta, ground.certifying.n);
}

}  // namespace

Certificate best_certificate(const Problem& problem, Deployable deployable,
                             const Deployment& deployment, const Disturbances& data) {
  const Assumptions& assumptions = problem.disturbance;
  const bool affine = problem.response.affine;
  const bool offset = may_have_constant(problem, deployable, deployment);
  const Premises all{assumptions, problem.sizes(), data.n(), offset};
  const auto some = [&](Index n) { return Premises{assumptions, problem.sizes(), n, offset}; };
  const auto families = shares(deployable, assumptions.autoregressive.has_value());
  const auto ground_for = [&](const std::string& family) {
    const Index folds = problem.certificate.folds;
    if (family == "cross") return Ground{some(data.n() / folds), all, folds};
    if (family == "hold-out")
      return Ground{some(certifying_count(problem, deployable, data.n())), all, path_length};
    return Ground{all, all, deployable == Deployable::either ? auto_candidates(problem) : 1};
  };

  std::vector<Entry> entries = assumed_entries(all);
  for (const auto& [family, share] : families) {
    const std::vector<Entry> added = family == "posterior"
                                         ? mean_entries(all, affine)
                                         : fixed_entries(ground_for(family), family);
    entries.insert(entries.end(), added.begin(), added.end());
  }
  drop_worthless(entries, all, total_delta(problem));
  double used = 0;
  for (const auto& [family, share] : families)
    if (any_granted(entries, family)) used += share;
  for (const auto& [family, share] : families) {
    const double delta = total_delta(problem) * share / used;
    if (family == "uniform" || family == "posterior")
      share_delta(entries, family, delta);
    else
      share_feasibly(entries, family, delta, ground_for(family));
  }

  Work work("certificates", std::ssize(entries));
  for (Entry& entry : entries) {
    if (!entry.objection && (entry.family == use_of_data_name(deployment.use_of_data) ||
                             entry.family == "uniform" || entry.family == "assumed"))
      compute(entry, [&] {
        return certify_deployment(problem, deployment, data, *entry.fixed, entry.delta,
                                  entry.mean_delta);
      });
    work.add();
  }
  evaluate_posteriors(problem, deployment, data, entries);
  return smallest_certificate(entries, data.n());
}

Certificate best_fixed_certificate(const Problem& problem, const Response& response,
                                   const Disturbances& data) {
  const Assumptions& assumptions = problem.disturbance;
  const bool offset = problem.system.cost.has_reference() || !response.phi_x.isZero(0.0) ||
                      !response.phi_u.isZero(0.0);
  const Premises premises{assumptions, problem.sizes(), data.n(), offset};
  std::vector<Entry> entries = assumed_entries(premises);
  for (const char* family : {"fixed", "uniform"})
    for (Entry& entry : fixed_entries({premises, premises}, family))
      entries.push_back(std::move(entry));
  drop_worthless(entries, premises, total_delta(problem));
  const bool both = any_granted(entries, "uniform");
  share_feasibly(entries, "fixed", total_delta(problem) * (both ? 0.9 : 1.0), {premises, premises});
  share_delta(entries, "uniform", total_delta(problem) * 0.1);
  Work work("certificates", std::ssize(entries));
  for (Entry& entry : entries) {
    if (!entry.objection)
      compute(entry, [&] {
        return certify_deployment(problem, {UseOfData::fixed, {response}}, data, *entry.fixed,
                                  entry.delta, entry.mean_delta);
      });
    work.add();
  }
  return smallest_certificate(entries, data.n());
}

Certificate best_posterior_certificate(const Problem& problem, const ResponseSpace& space,
                                       const CertifyingPart& data, const Prior& prior,
                                       Index prior_choices, const Posterior& posterior) {
  const Assumptions& assumptions = problem.disturbance;
  const Premises premises{assumptions, problem.sizes(), data.data.n(),
                          space.coordinates.pattern.constant};
  std::vector<Entry> entries = assumed_entries(premises);
  for (Entry& entry : posterior_entries(premises)) entries.push_back(std::move(entry));
  share_delta(entries, "posterior", total_delta(problem));
  const Deployment mean{UseOfData::whole,
                        {response_at(problem.system, space.coordinates, posterior.mean)}};
  Work work("certificates", std::ssize(entries));
  for (Entry& entry : entries) {
    work.add();
    if (entry.objection) continue;
    compute(entry, [&] {
      if (entry.fixed) return certify_deployment(problem, mean, data.data, *entry.fixed, 0);
      return evaluate_choice(problem, space, data, *entry.posterior,
                             split_delta(entry.posterior->events, entry.delta, {}), prior,
                             prior_choices, posterior);
    });
  }
  return smallest_certificate(entries, data.data.n());
}

std::optional<Certificate> certified_improvement(const Problem& problem,
                                                 const Deployment& deployment,
                                                 const Disturbances& data) {
  const Assumptions& assumptions = problem.disturbance;
  const std::vector<CertifyingPart> parts = certifying_parts(problem, deployment, data);
  if (parts.empty()) return std::nullopt;
  const bool offset =
      problem.has_constant() || (problem.baseline && problem.baseline->has_constant());
  const Premises premises{assumptions, problem.sizes(), parts.back().data.n(), offset};
  std::vector<Entry> entries;
  for (const FixedResponseKind& kind : fixed_response_kinds())
    if (kind.compares)
      entries.push_back({kind.name, "fixed", &kind, nullptr, objection_to(kind, premises)});
  if (!any_granted(entries, "fixed")) return std::nullopt;
  share_delta(entries, "fixed", total_delta(problem));
  for (Entry& entry : entries)
    if (!entry.objection)
      compute(entry, [&] {
        return certify_deployment(problem, deployment, data, *entry.fixed, entry.delta);
      });
  const auto computed = [](const Entry& entry) { return entry.certificate.has_value(); };
  if (std::none_of(entries.begin(), entries.end(), computed)) return std::nullopt;
  return smallest_certificate(entries, data.n());
}

}  // namespace loopcert
