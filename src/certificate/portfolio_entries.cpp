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
  Candidate row{entry.kind, "other-deployment", entry.delta + entry.mean_delta,
                entry.kind == chosen};
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

namespace {
// Of a family's delta, for kinds that do not rest on its mean cost: a small delta costs them more
// than the others where trajectories are few.
double part_alone(Index n) { return n < 16 ? 0.25 : 0.75; }
}  // namespace

void share_delta(std::vector<Entry>& entries, const std::string& family, double delta) {
  const auto total = std::count_if(entries.begin(), entries.end(),
                                   [&](const Entry& entry) { return granted(entry, family); });
  for (Entry& entry : entries)
    if (granted(entry, family)) entry.delta = delta / static_cast<double>(total);
}

void share_mean(std::vector<Entry>& entries, const std::string& family, double delta, Index n) {
  const auto on_mean = [&](const Entry& entry) {
    return granted(entry, family) && entry.fixed->on_mean;
  };
  const auto alone = [&](const Entry& entry) {
    return granted(entry, family) && !entry.fixed->on_mean;
  };
  const auto needs_more = [&](const Entry& entry) {
    return on_mean(entry) && entry.fixed->events.size() > 1;
  };
  const auto count = [&](const auto& is) {
    return static_cast<double>(std::count_if(entries.begin(), entries.end(), is));
  };
  const double others = count(alone), more = count(needs_more);
  const double rest = others == 0 ? delta : count(on_mean) == 0 ? 0 : (1 - part_alone(n)) * delta;
  for (Entry& entry : entries) {
    if (entry.family != family) continue;
    entry.mean_delta = on_mean(entry) ? (more > 0 ? 0.75 : 1) * rest : 0;
    entry.delta = needs_more(entry) ? 0.25 * rest / more
                  : alone(entry)    ? (delta - rest) / others
                                    : 0;
  }
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

namespace {

void append(std::vector<Event>& events, const std::vector<Event>& more) {
  events.insert(events.end(), more.begin(), more.end());
}

const Entry* first_of_family(const std::vector<Entry>& entries, const std::string& family) {
  for (const Entry& entry : entries)
    if (entry.family == family && entry.mean_delta > 0) return &entry;
  return nullptr;
}

bool is_on_mean(const Entry& entry, const Event& event) {
  return entry.mean_delta > 0 && event.id == entry.fixed->events[0];
}

// What a kind alone rests on; its share is kept where it has no certificate.
std::vector<Event> own_events(const Entry& entry) {
  if (entry.delta == 0) return {};
  std::vector<Event> events;
  if (!entry.certificate)
    events = {{"kept", entry.delta, {entry.failure.empty() ? "kept-deployment" : "kept-bound"}}};
  else
    for (const Event& event : entry.certificate->events)
      if (!is_on_mean(entry, event)) events.push_back(event);
  for (Event& event : events) event.kind = entry.kind;
  return events;
}

// The event that the kinds of a family have in common, for each fold: whichever was computed.
std::vector<Event> mean_events(const std::vector<Entry>& entries, const Entry& of) {
  std::vector<Event> events = {{"kept", of.mean_delta, {"kept-deployment"}}};
  for (const Entry& entry : entries) {
    if (entry.family != of.family || !entry.certificate || entry.mean_delta == 0) continue;
    events.clear();
    for (const Event& event : entry.certificate->events)
      if (is_on_mean(entry, event)) events.push_back(event);
    for (Event& event : events) {
      event.id = "chernoff";
      event.statement = {"chernoff"};
    }
    break;
  }
  for (Event& event : events) event.kind = of.family == "cross" ? "cross-all" : "hold-out-all";
  return events;
}

}  // namespace

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
    const bool first = entry.mean_delta > 0 && &entry == first_of_family(entries, entry.family);
    if (first) append(result.events, mean_events(entries, entry));
    append(result.events, own_events(entry));
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
  share_among_priors(setting, choices);
  Certificate c = evaluate_certificate(kind, setting, prior, posterior);
  if (prior_is_given(problem.learning))
    c.assumptions.insert(c.assumptions.end() - 1, {"prior-given", {}});  // "model" stays last
  return account_for_prior_choice(std::move(c), choices);
}

}  // namespace loopcert
