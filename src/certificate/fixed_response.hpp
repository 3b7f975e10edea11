// Certificates for one response that was fixed before the data were seen (LQR, a controller read
// from a file) on n fresh trajectories. No prior, no KL. Hold-out kinds are made from the tables of
// envelopes and of tails; adding another one is one file and one line in
// kinds/fixed_kinds.inc.
#pragma once

#include "certificate/kinds.hpp"
#include "certificate/premises.hpp"

namespace loopcert {

struct FixedSetting {
  const System& system;
  const Response& response;
  const Assumptions& assumptions;
  const Evidence& evidence;  // n = 0 for a kind without events
  Deltas delta;
  const Response* baseline = nullptr;  // for certified improvements: also fixed beforehand
  // For certified improvements: d_w x d_w, positive definite, near the covariance but estimated on
  // other data. A better one makes the bound smaller, any one is valid; nullptr is the identity.
  const Matrix* metric = nullptr;
  // For kinds with events that hold for all responses at once: all the data there are, `evidence`
  // among them. Nothing: `evidence` is all.
  const Evidence* all = nullptr;
  // Whether the mean cost is without what white steps have of noise alone (chi-square.md, 7); all
  // kinds that share its event must agree. Nothing: as the kind does by itself.
  std::optional<bool> averaged = std::nullopt;
};

struct FixedResponseKind {
  std::string name;
  std::string about;
  std::vector<std::string> events;  // none: it follows from the assumptions, without data
  Needs needs = nullptr;            // nothing when its assumptions are granted
  std::function<Certificate(const FixedSetting&)> evaluate = nullptr;
  bool compares = false;          // bounds L(response) - L(baseline): may be negative
  std::string dominated_by = "";  // a kind that is never larger wherever that one is granted
  // least_factor Lhat <= value <= most_factor Lhat whatever the data are, by sizes, n and delta of
  // the premises alone; nothing where that is not known.
  std::function<double(const Premises&)> least_factor = nullptr;
  std::function<double(const Premises&)> most_factor = nullptr;
  // Events that hold for every response at once, also for one learned from these data: they are
  // claimed once and not for every fold or choice. All of them: the kind is uniform.
  std::vector<std::string> shared = {};
  // Its first event is that the mean cost is not below a quantile of its law: a portfolio pays for
  // it once.
  bool on_mean = true;
  // Parts of delta of the events, in their order; empty: equal ones.
  std::vector<double> weights = {};

  // Portfolios have no share for it where so few trajectories make it hopeless: what would do.
  // By all data that there are, and the share of delta.
  Needs worthwhile = nullptr;

  bool uniform() const { return !events.empty() && shared.size() == events.size(); }
};

const std::vector<FixedResponseKind>& fixed_response_kinds();
const FixedResponseKind& fixed_response_kind(const std::string& name);  // throws InputError

}  // namespace loopcert
