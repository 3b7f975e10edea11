#include <algorithm>
#include <set>

#include "certificate/from_problem.hpp"
#include "certificate/premises.hpp"
#include "core/text.hpp"
#include "loopcert/core/error.hpp"
#include "portfolio_parts.hpp"
#include "response/space.hpp"

namespace loopcert {
namespace {

bool granted(const Entry& entry, const std::string& family) {
  return entry.family == family && !entry.objection;
}

Candidate candidate_of(const Entry& entry, const std::string& chosen) {
  Candidate row{entry.kind, "other-deployment", entry.delta, entry.kind == chosen};
  row.failure = entry.failure;
  if (entry.certificate) {
    row.status = "computed";
    row.value = entry.certificate->value;
  } else if (!entry.failure.empty()) {
    row.status = "not-computed";
  } else if (entry.objection) {
    row.status = entry.objection->status;
    row.needs = entry.objection->needs;
    row.dominated_by = entry.objection->dominated_by;
  }
  return row;
}

}  // namespace

void compute(Entry& entry, const std::function<Certificate()>& certificate) {
  try {
    entry.certificate = certificate();
  } catch (const NumericsError& error) {
    entry.failure = error.what();
  } catch (const NotProved& error) {  // its share of delta stays: shares are fixed beforehand
    entry.failure = error.what();
  }
}

bool any_granted(const std::vector<Entry>& entries, const std::string& family) {
  return std::any_of(entries.begin(), entries.end(),
                     [&](const Entry& entry) { return granted(entry, family); });
}

void share_delta(std::vector<Entry>& entries, const std::string& family, double delta) {
  // A kind that is sure to be a small multiple of Lhat is worth more than one that may be. One that
  // knows the law up to a few coefficients is never much larger than that multiple: the others are
  // for the case that it cannot be computed.
  const auto knows_law = [](const Entry& entry) {
    return entry.fixed && !entry.fixed->shared.empty();
  };
  const bool known = std::any_of(entries.begin(), entries.end(), [&](const Entry& entry) {
    return granted(entry, family) && knows_law(entry);
  });
  const auto weight = [&](const Entry& entry) {
    if (knows_law(entry)) return 32.0;
    return entry.fixed && entry.fixed->multiplies && !known ? 4.0 : 1.0;
  };
  double total = 0;
  for (const Entry& entry : entries)
    if (granted(entry, family)) total += weight(entry);
  for (Entry& entry : entries)
    if (granted(entry, family)) entry.delta = delta * weight(entry) / total;
}

template <class Kind>
std::optional<Objection> objection_to(const Kind& kind, const Kind* better,
                                      const Premises& premises) {
  if (const std::optional<Missing> missing = kind.needs(premises))
    return Objection{"not-granted", missing};
  if (!better || better->needs(premises)) return std::nullopt;
  return Objection{"dominated", std::nullopt, better->name};
}

std::optional<Objection> objection_to(const FixedResponseKind& kind, const Premises& premises) {
  return objection_to(kind,
                      kind.dominated_by.empty() ? nullptr : &fixed_response_kind(kind.dominated_by),
                      premises);
}

std::optional<Objection> objection_to(const PosteriorKind& kind, const Premises& premises) {
  return objection_to(
      kind, kind.dominated_by.empty() ? nullptr : &posterior_kind(kind.dominated_by), premises);
}

std::vector<Entry> posterior_entries(const Premises& premises) {
  std::vector<Entry> entries;
  for (const PosteriorKind& kind : posterior_kinds())
    if (!kind.oracle && kind.in_portfolio && kind.subject == Subject::mean_response)
      entries.push_back({kind.name, "posterior", nullptr, &kind, objection_to(kind, premises)});
  if (premises.n < 2)  // the PAC-Bayes inequality divides by n - 1
    for (Entry& entry : entries)
      entry.objection = Objection{"not-granted", Missing{"trajectories", "1", "at least 2"}};
  return entries;
}

std::vector<Entry> assumed_entries(const Premises& premises) {
  std::vector<Entry> entries;
  for (const FixedResponseKind& kind : fixed_response_kinds())
    if (kind.events.empty())
      entries.push_back({kind.name, "assumed", &kind, nullptr, objection_to(kind, premises)});
  return entries;
}

Certificate smallest_certificate(const std::vector<Entry>& entries, Index n) {
  const Entry* best = nullptr;
  for (const Entry& entry : entries)
    if (entry.certificate && (!best || entry.certificate->value < best->certificate->value))
      best = &entry;
  if (!best) {
    for (const Entry& entry : entries)
      if (!entry.failure.empty()) throw NumericsError(entry.kind + ": " + entry.failure);
    std::set<std::string> places;
    for (const Entry& entry : entries)
      if (entry.objection && entry.objection->needs) places.insert(entry.objection->needs->place);
    throw_input_error("certificate.kind", "'best' with no certificate whose assumptions are stated",
                      "more of " + join({places.begin(), places.end()}));
  }
  Certificate result = *best->certificate;
  result.chosen = result.kind;
  result.kind = "best";
  result.n = n;
  result.events.clear();
  for (const Entry& entry : entries) {
    if (entry.delta == 0) continue;
    std::vector<Event> events{
        {"kept", entry.delta, {entry.failure.empty() ? "kept-deployment" : "kept-bound"}}};
    if (entry.certificate) events = entry.certificate->events;
    for (Event& event : events) event.kind = entry.kind;
    result.events.insert(result.events.end(), events.begin(), events.end());
  }
  result.confidence = confidence_of(result.events);
  result.all.clear();
  for (const Entry& entry : entries) result.all.push_back(candidate_of(entry, best->kind));
  check_certificate(result);
  return result;
}

const std::vector<double>& prior_scales() {
  static const std::vector<double> scales = {1, 0.3, 0.1, 0.03, 0.01};
  return scales;
}

Certificate account_for_prior_choice(Certificate certificate, Index choices) {
  if (choices == 1) return certificate;
  for (Event& event : certificate.events)
    if (event.id == "pac_bayes") {
      event.delta *= static_cast<double>(choices);
      event.choices = choices;
    }
  certificate.confidence = confidence_of(certificate.events);
  check_certificate(certificate);
  return certificate;
}

// The user's own mean or covariance: nobody can see where they come from.
static bool prior_is_given(const LearningOptions& learning) {
  return learning.prior_center == "given" ||
         (learning.prior_covariance != "isotropic" && learning.prior_covariance != "cost");
}

Certificate evaluate_choice(const Problem& problem, const ResponseSpace& space,
                            const CertifyingPart& data, const PosteriorKind& kind,
                            const Deltas& deltas, const Prior& prior, Index choices,
                            const Posterior& posterior) {
  const Assumptions& assumptions = problem.disturbance;
  const Evidence evidence = evidence_of(data.data);
  Setting setting{problem.system, space, assumptions, evidence, deltas};
  setting.delta.at("pac_bayes") /= static_cast<double>(choices);
  Certificate c = evaluate_certificate(kind, setting, prior, posterior);
  if (prior_is_given(problem.learning))
    c.assumptions.insert(c.assumptions.end() - 1, {"prior-given", {}});  // "model" stays last
  return account_for_prior_choice(std::move(c), choices);
}

}  // namespace loopcert
