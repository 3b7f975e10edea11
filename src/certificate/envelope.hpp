// What data and assumptions say about the unknown covariance: a matrix above it, and numbers below
// its diagonal, with the event on which that holds and its price in delta. Adding an envelope is
// one file and one line in envelopes/envelopes.inc (docs/theory/covariance-envelopes.md).
#pragma once

#include <string>
#include <vector>

#include "certificate/premises.hpp"
#include "loopcert/certificate/event.hpp"
#include "loopcert/core/types.hpp"

namespace loopcert {

struct Envelope {
  Matrix U;                   // d_w x d_w: Sigma_w <= U (Loewner) on the events
  Vector floor;               // d_w: floor_j <= (Sigma_w)_jj on the same events; 0: nothing known
  std::vector<Event> events;  // none when the assumptions alone give U
  std::vector<Statement> assumptions;
};

// Of a kind that rests on an envelope; no name: there is none.
struct KindUnder {
  std::string name;
  std::string about;
};

struct EnvelopeKind {
  std::string name;
  std::string about;                // one line for people
  std::vector<std::string> events;  // {"covariance"}, or none
  Needs needs = nullptr;            // nothing when its assumptions are granted
  // `delta` is that of the event; envelopes without one ignore it.
  Envelope (*make)(const Assumptions&, const Evidence&, const Sizes&, double delta) = nullptr;
  KindUnder posterior = {};  // the PAC-Bayes kind under it
  KindUnder hold_out = {};   // the kind for one response
  // The hold-out kind's value is at least so many times Lhat, by sizes, n and delta alone.
  double (*least_factor)(const Premises&) = nullptr;
  std::string dominated_by = "";  // the hold-out kind, by that one, where both use the same data
  bool averages = false;          // the hold-out kind's mean cost is that of independent steps
};

const std::vector<EnvelopeKind>& envelope_kinds();
const EnvelopeKind& envelope_kind(const std::string& name);  // throws InputError

// Refuses what `needs` misses, then makes the envelope with the delta of its event.
Envelope make_envelope(const EnvelopeKind& kind, const Assumptions& assumptions,
                       const Evidence& evidence, const Sizes& sizes, const Deltas& delta);

// a = sqrt(d/n) + sqrt(2 log(2/delta)/n) and eps = scale (2a + a^2): with probability 1 - delta,
// ||Sigma_hat - Sigma|| <= eps for n Gaussian samples in dimension d with known mean and
// ||Sigma|| <= scale (paper, app:covariance_radius).
double covariance_radius(double scale, Index d, Index n, double delta);

// u = (sqrt(trace) + (3/4 + sqrt(2 log(2/delta))) sqrt(scale)) / sqrt(n) and eps = u (2 sqrt(scale)
// + u): with probability 1 - delta, ||Sigma_hat - Sigma|| <= eps for n Gaussian samples of mean
// zero,
// ||Sigma|| <= scale and tr Sigma <= trace (docs/theory/data-driven.md).
double effective_rank_radius(double scale, double trace, Index n, double delta);

// r = sqrt(scale) (sqrt(d/n) + sqrt(2 log(1/delta)/n)): with probability 1 - delta,
// ||w_bar - mu|| <= r (the norm of a Gaussian vector is Lipschitz).
double mean_radius(double scale, Index d, Index n, double delta);

}  // namespace loopcert
