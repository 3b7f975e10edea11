#include "certificate/record_arrays.hpp"

#include "data/npz.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {

std::string format_posterior(const Posterior& posterior, const Matrix& prior_center) {
  NamedArrays arrays{{"mean", array_from_matrix(posterior.mean)},
                     {"variance", array_from_matrix(posterior.variance)}};
  if (prior_center.size() > 0) arrays["center"] = array_from_matrix(prior_center);
  return format_npz(arrays);
}

Posterior parse_posterior(std::string_view bytes) {
  const NamedArrays arrays = parse_npz(bytes);
  for (const char* name : {"mean", "variance"})
    if (!arrays.contains(name)) throw_input_error(name, "nothing", "an array of this name");
  return {matrix_from_array(arrays.at("mean")), matrix_from_array(arrays.at("variance"))};
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
    if (projected != Phi_u) throw InputError("response " + number + ": an input is not causal");
    responses.push_back(complete_response(system, std::move(Phi_u), phi_u.col(0)));
  }
  if (responses.empty()) throw_input_error("responses", "none", "at least one");
  return responses;
}

}  // namespace loopcert
