#include "loopcert/experiment/deployment.hpp"

#include "loopcert/core/error.hpp"
#include "loopcert/data/moments.hpp"
#include "loopcert/data/npz.hpp"
#include "loopcert/response/coloured.hpp"

namespace loopcert {

Index Deployment::choices() const { return colour ? static_cast<Index>(lqr_colours().size()) : 1; }

Response deployed_response(const Deployment& deployment) {
  Response mean = deployment.responses.at(0);
  const auto K = static_cast<double>(deployment.responses.size());
  for (size_t k = 1; k < deployment.responses.size(); ++k) {
    const Response& response = deployment.responses[k];
    mean.Phi_x += response.Phi_x;
    mean.Phi_u += response.Phi_u;
    mean.phi_x += response.phi_x;
    mean.phi_u += response.phi_u;
  }
  if (K > 1) {
    mean.Phi_x /= K;
    mean.Phi_u /= K;
    mean.phi_x /= K;
    mean.phi_u /= K;
  }
  return mean;
}

std::vector<CertifyingPart> certifying_parts(const Problem& problem, const Deployment& deployment,
                                             const Disturbances& data) {
  if (deployment.way == "fixed") return {{data}};
  if (deployment.way == "hold-out")
    return {split_first(data, problem.certificate.fraction).certifying};
  std::vector<CertifyingPart> parts;
  if (deployment.way == "cross")
    for (Split& split : split_folds(data, problem.certificate.folds))
      parts.push_back(std::move(split.certifying));
  return parts;
}

Learned learn_from(const LearnMethod& method, const Problem& problem, const ResponseSpace& space,
                   const LearnCallbacks& callbacks, const LearningPart& part) {
  const Matrix Sigma_hat = moment_matrix(sample_moments(part.data), space.pattern.constant);
  return method.learn({problem, part.data, space, Sigma_hat, callbacks, /*files=*/false});
}

Deployment deploy(const std::string& way, const LearnMethod& method, const LearnTask& task,
                  Learned& collected) {
  std::vector<Learned> runs;
  const auto learn_on = [&](const Split& split) {
    runs.push_back(learn_from(method, task.problem, task.space, task.callbacks, split.learning));
  };
  if (way == "fixed" || way == "whole") {
    runs.push_back(method.learn(task));
  } else if (way == "hold-out") {
    learn_on(split_first(task.data, task.problem.certificate.fraction));
  } else {
    for (const Split& split : split_folds(task.data, task.problem.certificate.folds))
      learn_on(split);
  }
  Deployment deployment{way, {}};
  collected.details["way"] = way;
  collected.details["runs"] = nlohmann::json::array();
  for (Learned& run : runs) {
    collected.details["runs"].push_back(std::move(run.details));
    collected.warnings.insert(collected.warnings.end(), run.warnings.begin(), run.warnings.end());
    collected.stopped_early = collected.stopped_early || run.stopped_early;
    deployment.responses.push_back(std::move(run.response));
  }
  collected.response = deployed_response(deployment);
  return deployment;
}

std::string format_responses(const Deployment& deployment) {
  NamedArrays arrays;
  for (size_t k = 0; k < deployment.responses.size(); ++k) {
    arrays["Phi_u_" + std::to_string(k)] = array_from_matrix(deployment.responses[k].Phi_u);
    arrays["phi_u_" + std::to_string(k)] = array_from_matrix(deployment.responses[k].phi_u);
  }
  return format_npz(arrays);
}

std::vector<Response> parse_responses(const System& system, std::string_view bytes) {
  const NamedArrays arrays = parse_npz(bytes);
  const Sizes sizes = system.sizes();
  std::vector<Response> responses;
  for (size_t k = 0; 2 * k < arrays.size(); ++k) {
    const std::string number = std::to_string(k);
    const auto Phi = arrays.find("Phi_u_" + number), phi = arrays.find("phi_u_" + number);
    if (Phi == arrays.end() || phi == arrays.end())
      throw_input_error("response " + number, "nothing", "arrays Phi_u and phi_u of this number");
    Matrix Phi_u = matrix_from_array(Phi->second);
    const Matrix phi_u = matrix_from_array(phi->second);
    if (Phi_u.rows() != sizes.d_u() || Phi_u.cols() != sizes.d_w() || phi_u.rows() != sizes.d_u() ||
        phi_u.cols() != 1)
      throw InputError("response " + number + ": its size is not that of the problem");
    CausalPattern causal{sizes, false, false};
    Matrix projected = Phi_u;
    project_causal(causal, projected);
    if (projected != Phi_u)
      throw InputError("response " + number + ": an input looks ahead in time");
    responses.push_back(complete_response(system, std::move(Phi_u), phi_u.col(0)));
  }
  if (responses.empty()) throw_input_error("responses", "none", "at least one");
  return responses;
}

}  // namespace loopcert
