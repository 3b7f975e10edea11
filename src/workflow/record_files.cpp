#include "workflow/record_files.hpp"

#include "certificate/record_arrays.hpp"
#include "controller/controller_trees.hpp"
#include "core/sha256.hpp"
#include "learning/priors.hpp"
#include "problem/problem_json.hpp"

namespace loopcert {

nlohmann::json problem_inputs(const Problem& problem) {
  return {{"problem_sha256", problem_hash(problem)}, {"problem", problem_to_json(problem)}};
}

nlohmann::json certificate_inputs(const nlohmann::json& of_problem, const DataHashes& data) {
  nlohmann::json inputs = of_problem;
  inputs["data_sha256"] = data.data_sha256;
  if (!data.logs_sha256.empty()) inputs["logs_sha256"] = data.logs_sha256;
  return inputs;
}

nlohmann::json posterior_inputs(nlohmann::json inputs, const Problem& problem, const Prior& prior,
                                const Posterior& posterior, const Matrix& prior_center) {
  inputs["prior"] = prior_to_json(problem, prior);
  inputs["posterior"] = "posterior.npz";
  inputs["posterior_sha256"] = sha256_hex(format_posterior(posterior, prior_center));
  return inputs;
}

std::string add_controller(nlohmann::json& inputs, const std::string& role, const std::string& file,
                           const Controller& controller) {
  const std::string bytes = controller_to_json(controller).dump(1) + "\n";
  inputs[role] = file;
  inputs[role + "_sha256"] = sha256_hex(bytes);
  return bytes;
}

nlohmann::json deployment_inputs(nlohmann::json inputs, const std::string& method,
                                 const Deployment& deployment) {
  inputs["deployment"] = {{"method", method}, {"way", use_of_data_name(deployment.use_of_data)}};
  if (deployment.colour)
    inputs["deployment"]["colour"] = *deployment.colour;
  else if (deployment.candidates > 1)
    inputs["deployment"]["baseline"] = true;  // to which auto fell back
  if (!deployment.path.empty())
    inputs["limits_path"] = {{"length", path_length},
                             {"place", deployment.path.size()},
                             {"passed", deployment.path_passed}};
  inputs["responses"] = "responses.npz";
  inputs["responses_sha256"] = sha256_hex(format_responses(deployment));
  return inputs;
}

}  // namespace loopcert
