// What the portfolios are made of.
#pragma once

#include <functional>

#include "certificate/portfolio.hpp"
#include "certificate/premises.hpp"

namespace loopcert {

// Why a kind has no share of delta: see Candidate.
struct Objection {
  std::string status;
  std::optional<Missing> needs = std::nullopt;
  std::string dominated_by = "";
};

// One certificate of a portfolio.
struct Entry {
  std::string kind;
  std::string family;  // fixed | hold-out | cross | uniform | posterior | assumed
  const FixedResponseKind* fixed = nullptr;
  const PosteriorKind* posterior = nullptr;
  std::optional<Objection> objection = std::nullopt;  // nothing: it has a share
  double delta = 0;                                   // its share
  // Beside it that of the event on the mean cost, which all kinds of a family rest on.
  double mean_delta = 0;
  std::optional<Certificate> certificate = std::nullopt;
  std::string failure = "";  // why it could not be computed, though it was granted
};

// Computes the certificate of an entry. Numbers that fail are a failure of this entry alone.
void compute(Entry& entry, const std::function<Certificate()>& certificate);

// What would have to be granted, or why it would be of no use.
std::optional<Objection> objection_to(const FixedResponseKind& kind, const Premises& premises);
std::optional<Objection> objection_to(const PosteriorKind& kind, const Premises& premises);

// `delta` for the entries of a family that are granted, in equal parts.
void share_delta(std::vector<Entry>& entries, const std::string& family, double delta);
// The same of a family whose kinds rest on one event, that the mean cost of n trajectories is not
// below a quantile of its law: a quarter for those that need other events, too, if there are any,
// the rest for it. Beforehand those that rest on another event have theirs: a quarter, from 16
// trajectories on three quarters, all where there are no others.
void share_mean(std::vector<Entry>& entries, const std::string& family, double delta, Index n);
bool any_granted(const std::vector<Entry>& entries, const std::string& family);

// PAC-Bayes kinds for the mean response that data can give.
std::vector<Entry> posterior_entries(const Premises& premises);
// Of those, what is left beside a method without a prior; and their values.
std::vector<Entry> mean_entries(const Premises& premises, bool affine);
void evaluate_posteriors(const Problem& problem, const Deployment& deployment,
                         const Disturbances& data, std::vector<Entry>& entries);
// Kinds that use no data.
std::vector<Entry> assumed_entries(const Premises& premises);

// The smallest of those that were computed, with all events in its ledger.
Certificate smallest_certificate(const std::vector<Entry>& entries, Index n);

// A certificate whose prior is one of `choices` that shared the delta of its PAC-Bayes event.
Certificate account_for_prior_choice(Certificate certificate, Index choices);

}  // namespace loopcert
