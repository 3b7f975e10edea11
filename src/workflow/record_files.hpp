// The files beside a certificate that let a stranger evaluate it again, and what the record says of
// them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "certificate/deployment.hpp"
#include "certificate/gaussian.hpp"
#include "loopcert/certificate/record.hpp"
#include "loopcert/data/disturbances.hpp"
#include "loopcert/problem/problem.hpp"

namespace loopcert {

// posterior.npz: mean and variance, and the center of a prior that was learned; d_u x d_z each.
std::string format_posterior(const Posterior& posterior, const Matrix& prior_center = {});
Posterior parse_posterior(std::string_view bytes);

// responses.npz: Phi_u_k (d_u x d_w) and phi_u_k (d_u x 1), k = 0, 1, …
std::string format_responses(const Deployment& deployment);
std::vector<Response> parse_responses(const System& system, std::string_view bytes);

// The `inputs` of a certificate record: hashes, and the problem itself.
nlohmann::json certificate_inputs(const Problem& problem, const Disturbances& data);
// Of a posterior and its prior, which goes into posterior.npz; of a deployment by the method.
nlohmann::json posterior_inputs(const Problem& problem, const Disturbances& data,
                                const Prior& prior, const Posterior& posterior,
                                const Matrix& prior_center);
nlohmann::json deployment_inputs(const Problem& problem, const Disturbances& data,
                                 const std::string& method, const Deployment& deployment);

}  // namespace loopcert
