// What the name of a certificate asks for.
#pragma once

#include <string>
#include <vector>

#include "certificate/fixed_response.hpp"
#include "certificate/kinds.hpp"
#include "loopcert/problem/problem.hpp"

namespace loopcert {

enum class Route {
  posterior,  // a PAC-Bayes kind: method pac-bayes or oracle-pac-bayes
  fixed,      // a kind for one response: certified on data that it was not learned from
  cross,      // the same, fold by fold; the mean of the responses is deployed
  best,       // every certificate whose assumptions were granted
};

struct CertificateChoice {
  Route route;
  const PosteriorKind* posterior = nullptr;  // of Route::posterior
  const FixedResponseKind* fixed = nullptr;  // of Route::fixed and Route::cross
};

// "hold-out-chi-square" <-> "cross-chi-square".
std::string cross_name(const FixedResponseKind& kind);

// The kind's own parts of one total; events that are not shared are claimed of `bounds` responses.
// With `mean_delta`, that of the first event, delta is for the others, in equal parts.
Deltas deltas_for(const FixedResponseKind& kind, double delta, Index bounds, double mean_delta = 0);

// Throws InputError 'place: found …'; `place` is where the name was written.
CertificateChoice certificate_choice(const std::string& name,
                                     const std::string& place = "certificate.kind");

// A problem file may name the deltas of another certificate's events: then their sum is kept.
void keep_total_delta(CertificateOptions& options);

// Every name there is: PAC-Bayes kinds, fixed kinds, cross kinds, "best".
std::vector<std::string> certificate_names();

}  // namespace loopcert
