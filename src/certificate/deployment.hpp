// What is deployed: one response, or the mean of several, and which data may certify it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/parts.hpp"
#include "loopcert/problem/problem.hpp"
#include "response/response.hpp"

namespace loopcert {

// What a method may deploy, known before the data are: a portfolio has shares for no more.
enum class Deployable {
  fixed,   // one response that is chosen without data
  folds,   // the mean of one response for each fold
  either,  // one of a few that are fixed, or the mean over the folds: the data say which
  part,    // one of a path that a part of the data gives: the others say which
};

// Which data a response was learned from, and so which are left to certify it.
enum class UseOfData {
  fixed,     // chosen without data: all of them certify
  hold_out,  // learned from the first part: the rest certifies
  cross,     // learned without fold k for every k: fold k certifies response k
  whole,     // learned from all data: for certificates that use none, or hold for all responses
};

// "fixed", "hold-out", "cross" or "whole", as in files, where the key is "way".
std::string use_of_data_name(UseOfData use);
// Throws InputError 'place: found …'.
UseOfData use_of_data_from_name(const std::string& name, const std::string& place);

struct Deployment {
  UseOfData use_of_data = UseOfData::fixed;
  std::vector<Response> responses;  // one, or one to a fold; their mean is deployed
  // fixed, by method auto: which of lqr_colours(), or nothing where it fell back to the baseline.
  std::optional<double> colour = std::nullopt;
  // fixed, by method auto: how many responses that owe nothing to data it chose among. The data
  // chose, so that each must be certified with its part of delta.
  Index candidates = 1;
  Index choices() const;  // how many there were: those, or the places of a path
  // cross, by method auto with `best`: it might have been a colour other than 0 instead, and each
  // of the three may be called better than LQR.
  bool gated = false;
  // hold-out, under limits: the path up to the deployed response, the safest first, and whether its
  // limits were certified. The rest of the data chose among all of it.
  std::vector<Response> path = {};
  bool path_passed = false;
};

// Those that owe nothing to data and that method auto chooses among: LQR and its colours, and the
// baseline where it may fall back to it.
Index auto_candidates(const Problem& problem);

// What a certified improvement may be claimed of, as the data choose: the places of a path; with
// method auto the folds and each candidate that is not what it is compared with.
Index compared_choices(const Problem& problem, const Deployment& deployment);

// How many responses a path has: fixed here, before any data.
inline constexpr Index path_length = 8;

// The mean response. Cost is convex in the response: L(mean) <= mean of L.
Response deployed_response(const Deployment& deployment);

// The data that certify each response, in the same order.
std::vector<CertifyingPart> certifying_parts(const Problem& problem, const Deployment& deployment,
                                             const Disturbances& data);

}  // namespace loopcert
