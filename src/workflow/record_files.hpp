// What a certificate record says of its inputs, so that a stranger can evaluate it again.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "certificate/deployment.hpp"
#include "certificate/gaussian.hpp"
#include "data/hash.hpp"
#include "loopcert/problem/problem.hpp"

namespace loopcert {

// The problem and its hash.
nlohmann::json problem_inputs(const Problem& problem);
// With the hashes of the data: what every record says.
nlohmann::json certificate_inputs(const nlohmann::json& of_problem, const DataHashes& data);
// Also a posterior and its prior, which goes into posterior.npz; a deployment by the method.
nlohmann::json posterior_inputs(nlohmann::json inputs, const Problem& problem, const Prior& prior,
                                const Posterior& posterior, const Matrix& prior_center);
// A controller as verify finds it beside the certificate: its file, and the hash in the record.
// Returns the bytes.
std::string add_controller(nlohmann::json& inputs, const std::string& role, const std::string& file,
                           const Controller& controller);
nlohmann::json deployment_inputs(nlohmann::json inputs, const std::string& method,
                                 const Deployment& deployment);

}  // namespace loopcert
