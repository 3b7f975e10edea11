// The arrays that a certificate is about, in files beside its record.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "certificate/deployment.hpp"
#include "certificate/gaussian.hpp"

namespace loopcert {

// posterior.npz: mean and variance, and the center of a prior that was learned or given, d_u x d_z
// each; of a posterior in a frame also turn and turn_of, mix, or full.
std::string format_posterior(const Posterior& posterior, const Matrix& prior_center = {});
Posterior parse_posterior(std::string_view bytes);

// responses.npz: Phi_u_k (d_u x d_w) and phi_u_k (d_u x 1), k = 0, 1, …
std::string format_responses(const Deployment& deployment);
std::vector<Response> parse_responses(const System& system, std::string_view bytes);
// Of a path also Phi_u_path_j and phi_u_path_j, j = 1, 2, … up to the deployed one.
std::vector<Response> parse_path(const System& system, std::string_view bytes);

}  // namespace loopcert
