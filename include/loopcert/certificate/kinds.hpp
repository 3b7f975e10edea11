// Every certificate by name. Adding one is one file and one line in the table in kinds.cpp.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "loopcert/certificate/bound.hpp"
#include "loopcert/certificate/record.hpp"
#include "loopcert/data/law.hpp"
#include "loopcert/response/response.hpp"

namespace loopcert {

// What the user is willing to assume of the disturbances.
struct Assumptions {
  std::string model = "gaussian";     // gaussian | bounded
  std::optional<double> scale_bound;  // ||Sigma_w|| <= this
  std::optional<double> radius;       // ||w|| <= this
  bool zero_mean = true;
  std::optional<Law> law;                  // the true law; only oracle kinds may look
  bool white = false;                      // x_0, w_0, …, w_{T-1} independent of each other
  bool stationary = false;                 // and w_0, …, w_{T-1} share one law
  std::optional<Matrix> covariance_bound;  // Sigma_w <= this (Loewner)
  std::optional<double> kurtosis;          // E (v'z)^4 <= this (E (v'z)^2)^2 for all v, z = (1, w)
};

// All that decides whether a kind may be used; known before any data are seen.
struct Premises {
  const Assumptions& assumptions;
  Sizes sizes;
  Index n = 0;
  bool offset = false;  // y = M w + m may have m != 0: affine response or plant with an offset
};

// What was not granted, in the parts of an InputError.
struct Missing {
  std::string place;
  std::string found;
  std::string expected;
};
using Needs = std::optional<Missing> (*)(const Premises&);

// Throws InputError with what is missing.
void require_granted(const std::optional<Missing>& missing);

// What the data say: all that any certificate uses of them.
struct Evidence {
  Index n = 0;
  Moments moments;
  Matrix covariance;        // around the sample mean, with 1/n, from centred rows
  double largest_norm = 0;  // max ||w_i||
};

Evidence evidence_of(const Disturbances& data);

using Deltas = std::map<std::string, double>;  // event name -> delta

// Everything a kind sees besides prior and posterior.
struct Setting {
  const System& system;
  const ResponseSpace& space;
  const Assumptions& assumptions;
  const Evidence& evidence;
  Deltas delta;
};

Premises premises_of(const Setting& setting);

// A kind of the smooth family of bound.hpp: its numbers and what they stand on.
struct BoundSetup {
  BoundInputs inputs;
  std::string spread_name;  // of the terms, in words and in the paper's letters
  std::string spread_symbol;
  std::vector<Event> events;
  std::vector<std::string> assumptions;
};

struct CertificateKind {
  std::string name;
  std::string about;    // one line for people
  std::string subject;  // see Certificate
  bool oracle = false;
  std::vector<std::string> events;  // names that delta is split over
  Needs needs = nullptr;            // nothing when its assumptions are granted
  // Either `setup` (a smooth bound: it can also be minimized), or `evaluate`.
  BoundSetup (*setup)(const Setting&) = nullptr;
  Certificate (*evaluate)(const Setting&, const Prior&, const Posterior&) = nullptr;
};

const std::vector<CertificateKind>& certificate_kinds();
const CertificateKind& certificate_kind(const std::string& name);  // throws InputError

// One total delta shared equally by the kind's events; or the named parts, all of which the kind
// needs must be there. Defaults to a total of 0.05.
Deltas split_delta(const std::vector<std::string>& events, std::optional<double> total,
                   const std::vector<std::pair<std::string, double>>& parts);

// The certificate of `kind` for this prior and posterior. The record's numbers follow from the
// arguments alone: calling it again on the same files is the re-evaluation.
Certificate evaluate_certificate(const CertificateKind& kind, const Setting& setting,
                                 const Prior& prior, const Posterior& posterior);

// The same from numbers that are already there.
Certificate certificate_of_bound(const CertificateKind& kind, const BoundSetup& setup,
                                 const BoundValue& bound, Index n);

}  // namespace loopcert
