// A response learned from some of the data so that the others can certify it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loopcert/data/parts.hpp"
#include "loopcert/experiment/learn_method.hpp"

namespace loopcert {

struct Deployment {
  // fixed:    chosen without data: all of them certify
  // hold-out: learned from the first part: the rest certifies
  // cross:    learned without fold k for every k: fold k certifies response k
  // whole:    learned from all data: only a certificate that uses none can be given
  std::string way;
  std::vector<Response> responses;  // one, or one to a fold; their mean is deployed
  // fixed, by method auto: which of lqr_colours(). The data chose among them, so that each must be
  // certified with its part of delta.
  std::optional<double> colour = std::nullopt;
  Index choices() const;  // how many there were: 1 without a colour
  // cross, by method auto with `best`: it might have been a colour other than 0 instead, and each
  // of the three may be called better than LQR.
  bool gated = false;
};

// The mean response. Cost is convex in the response: L(mean) <= mean of L.
Response deployed_response(const Deployment& deployment);

// The data that certify each response, in the same order.
std::vector<CertifyingPart> certifying_parts(const Problem& problem, const Deployment& deployment,
                                             const Disturbances& data);

// Runs a method on the part that it may see.
Learned learn_from(const LearnMethod& method, const Problem& problem, const ResponseSpace& space,
                   const LearnCallbacks& callbacks, const LearningPart& part);

// `way` carried out with a method; `details` of each run are collected in `details`.
Deployment deploy(const std::string& way, const LearnMethod& method, const LearnTask& task,
                  Learned& collected);

// responses.npz: Phi_u_k (d_u x d_w) and phi_u_k (d_u x 1), k = 0, 1, …
std::string format_responses(const Deployment& deployment);
std::vector<Response> parse_responses(const System& system, std::string_view bytes);

}  // namespace loopcert
