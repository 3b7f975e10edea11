#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "loopcert/certificate/from_problem.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/core/text.hpp"
#include "portfolio.hpp"

namespace loopcert {
namespace {

std::string needs_text(const std::optional<Missing>& missing) {
  if (!missing) return "";
  return fmt::format("{}: found {}, expected {}", missing->place, missing->found,
                     missing->expected);
}

bool granted(const Entry& entry, const std::string& family) {
  return entry.family == family && entry.needs.empty();
}

nlohmann::json entry_to_json(const Entry& entry, const std::string& chosen) {
  const std::string status = !entry.needs.empty()     ? "not granted"
                             : !entry.failure.empty() ? "not computed"
                             : entry.certificate      ? "computed"
                                                      : "for another deployment";
  nlohmann::json row = {{"kind", entry.kind},   {"status", status},
                        {"delta", entry.delta}, {"chosen", entry.kind == chosen},
                        {"value", nullptr},     {"needs", nullptr}};
  if (entry.certificate) row["value"] = entry.certificate->value;
  if (!entry.needs.empty()) row["needs"] = entry.needs;
  if (!entry.failure.empty()) row["failure"] = entry.failure;
  return row;
}

}  // namespace

void compute(Entry& entry, const std::function<Certificate()>& certificate) {
  try {
    entry.certificate = certificate();
  } catch (const NumericsError& error) {
    entry.failure = error.what();
  }
}

bool any_granted(const std::vector<Entry>& entries, const std::string& family) {
  return std::any_of(entries.begin(), entries.end(),
                     [&](const Entry& entry) { return granted(entry, family); });
}

void share_delta(std::vector<Entry>& entries, const std::string& family, double delta) {
  // A kind that is sure to be a small multiple of Lhat is worth more than one that may be.
  const auto weight = [](const Entry& entry) {
    return entry.fixed && entry.fixed->multiplies ? 4.0 : 1.0;
  };
  double total = 0;
  for (const Entry& entry : entries)
    if (granted(entry, family)) total += weight(entry);
  for (Entry& entry : entries)
    if (granted(entry, family)) entry.delta = delta * weight(entry) / total;
}

template <class Kind>
std::string missing_assumption(const Kind& kind, const Kind* better, const Premises& premises) {
  const std::string needs = needs_text(kind.needs(premises));
  if (!needs.empty() || !better || better->needs(premises)) return needs;
  return "nothing: '" + better->name + "' is never larger";
}

std::string missing_assumption(const FixedKind& kind, const Premises& premises) {
  return missing_assumption(
      kind, kind.dominated_by.empty() ? nullptr : &fixed_kind(kind.dominated_by), premises);
}

std::string missing_assumption(const CertificateKind& kind, const Premises& premises) {
  return missing_assumption(
      kind, kind.dominated_by.empty() ? nullptr : &certificate_kind(kind.dominated_by), premises);
}

std::vector<Entry> posterior_entries(const Premises& premises) {
  std::vector<Entry> entries;
  for (const CertificateKind& kind : certificate_kinds())
    if (!kind.oracle && kind.subject == "mean response")
      entries.push_back(
          {kind.name, "posterior", nullptr, &kind, missing_assumption(kind, premises)});
  if (premises.n < 2)  // the PAC-Bayes inequality divides by n - 1
    for (Entry& entry : entries) entry.needs = "trajectories: found 1, expected at least 2";
  return entries;
}

std::vector<Entry> assumed_entries(const Premises& premises) {
  std::vector<Entry> entries;
  for (const FixedKind& kind : fixed_kinds())
    if (kind.events.empty())
      entries.push_back({kind.name, "assumed", &kind, nullptr, missing_assumption(kind, premises)});
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
    for (const Entry& entry : entries) places.insert(entry.needs.substr(0, entry.needs.find(':')));
    throw_input_error("certificate.kind",
                      "'best' with no certificate whose assumptions are granted",
                      "more of " + join({places.begin(), places.end()}));
  }
  Certificate result = *best->certificate;
  result.chosen = result.kind;
  result.kind = "best";
  result.n = n;
  result.events.clear();
  result.confidence = 1;
  for (const Entry& entry : entries) {
    if (entry.delta == 0) continue;
    std::vector<Event> events{{entry.kind, entry.delta,
                               entry.failure.empty() ? "kept for a deployment that was not made"
                                                     : "kept for a bound that was not computed"}};
    if (entry.certificate) {
      events = entry.certificate->events;
      for (Event& event : events) event.name = entry.kind + ": " + event.name;
    }
    for (const Event& event : events) result.confidence -= event.delta;
    result.events.insert(result.events.end(), events.begin(), events.end());
  }
  result.all = nlohmann::json::array();
  for (const Entry& entry : entries) result.all.push_back(entry_to_json(entry, best->kind));
  check_certificate(result);
  return result;
}

const std::vector<double>& prior_scales() {
  static const std::vector<double> scales = {1, 0.3, 0.1, 0.03, 0.01};
  return scales;
}

Certificate account_for_prior_choice(Certificate certificate, Index choices) {
  if (choices == 1) return certificate;
  certificate.confidence = 1;
  for (Event& event : certificate.events) {
    if (event.name == "pac_bayes") {
      event.delta *= static_cast<double>(choices);
      event.statement += fmt::format(", for each of {} priors", choices);
    }
    certificate.confidence -= event.delta;
  }
  check_certificate(certificate);
  return certificate;
}

Certificate evaluate_choice(const Problem& problem, const ResponseSpace& space,
                            const CertifyingPart& data, const CertificateKind& kind,
                            const Deltas& deltas, const Prior& prior, Index choices,
                            const Posterior& posterior) {
  const Assumptions assumptions = assumptions_of(problem);
  const Evidence evidence = evidence_of(data.data);
  Setting setting{problem.system, space, assumptions, evidence, deltas};
  setting.delta.at("pac_bayes") /= static_cast<double>(choices);
  return account_for_prior_choice(evaluate_certificate(kind, setting, prior, posterior), choices);
}

}  // namespace loopcert
