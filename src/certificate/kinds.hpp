// Every PAC-Bayes certificate by name. Those that differ in the matrix above the covariance are
// made from the table of envelopes; adding another one is one file and one line in
// kinds/posterior_kinds.inc.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "certificate/bound.hpp"
#include "certificate/premises.hpp"
#include "loopcert/certificate/record.hpp"
#include "response/response.hpp"
#include "response/space.hpp"

namespace loopcert {

// Everything a kind sees besides prior and posterior.
struct Setting {
  const System& system;
  const ResponseSpace& space;
  const Assumptions& assumptions;
  const Evidence& evidence;
  Deltas delta;
  Index priors = 1;  // that share the PAC-Bayes event's delta, of which this is one's part
};

void share_among_priors(Setting& setting, Index priors);

Premises premises_of(const Setting& setting);

// A kind of the smooth family of bound.hpp: its numbers and what they stand on.
struct BoundSetup {
  BoundInputs inputs;
  std::string spread;  // id of the term
  std::vector<Event> events;
  std::vector<Statement> assumptions;
};

struct PosteriorKind {
  std::string name;
  std::string about;  // one line for people
  Subject subject = Subject::mean_response;
  bool oracle = false;
  std::vector<std::string> events;  // names that delta is split over
  Needs needs = nullptr;            // nothing when its assumptions are granted
  // Either `setup` (a smooth bound: it can also be minimized), or `evaluate`.
  std::function<BoundSetup(const Setting&)> setup = nullptr;
  std::function<Certificate(const Setting&, const Prior&, const Posterior&)> evaluate = nullptr;
  std::string minimized = {};     // with `evaluate`: the smooth kind whose posterior suits it
  std::string dominated_by = {};  // a kind that is never larger wherever that one is granted
  bool in_portfolio = true;       // kind best has a share of delta for it
};

const std::vector<PosteriorKind>& posterior_kinds();
const PosteriorKind& posterior_kind(const std::string& name);  // throws InputError

// One total delta shared equally by the kind's events; or the named parts, all of which the kind
// needs must be there. Defaults to a total of 0.05.
Deltas split_delta(const std::vector<std::string>& events, std::optional<double> total,
                   const std::vector<std::pair<std::string, double>>& parts);

// The certificate of `kind` for this prior and posterior. The record's numbers follow from the
// arguments alone: calling it again on the same files is the re-evaluation.
Certificate evaluate_certificate(const PosteriorKind& kind, const Setting& setting,
                                 const Prior& prior, const Posterior& posterior);

// The same from numbers that are already there.
Certificate certificate_of_bound(const PosteriorKind& kind, const BoundSetup& setup,
                                 const BoundValue& bound, Index n);

}  // namespace loopcert
