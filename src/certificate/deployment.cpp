#include "certificate/deployment.hpp"

#include <algorithm>

#include "core/text.hpp"
#include "loopcert/core/error.hpp"
#include "response/coloured.hpp"

namespace loopcert {
namespace {

// In the order of UseOfData.
const std::vector<std::string>& use_names() {
  static const std::vector<std::string> names = {"fixed", "hold-out", "cross", "whole"};
  return names;
}

}  // namespace

std::string use_of_data_name(UseOfData use) { return use_names()[static_cast<size_t>(use)]; }

UseOfData use_of_data_from_name(const std::string& name, const std::string& place) {
  const auto& names = use_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw_input_error(place, "'" + name + "'", join(names, " | "));
  return static_cast<UseOfData>(found - names.begin());
}

Index Deployment::choices() const { return path.empty() ? candidates : path_length; }

Index auto_candidates(const Problem& problem) {
  const bool falls_back = problem.baseline && problem.baseline->fallback;
  return static_cast<Index>(lqr_colours().size()) + (falls_back ? 1 : 0);
}

Index compared_choices(const Problem& problem, const Deployment& deployment) {
  if (!deployment.gated && deployment.candidates == 1) return deployment.choices();
  // The folds, and the colours but for LQR itself where LQR is what they are compared with.
  return static_cast<Index>(lqr_colours().size()) + (problem.baseline ? 1 : 0);
}

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
  if (deployment.use_of_data == UseOfData::fixed) return {{data}};
  if (deployment.use_of_data == UseOfData::hold_out)
    return {split_first(data, problem.certificate.fraction).certifying};
  std::vector<CertifyingPart> parts;
  if (deployment.use_of_data == UseOfData::cross)
    for (Split& split : split_folds(data, problem.certificate.folds))
      parts.push_back(std::move(split.certifying));
  return parts;
}

}  // namespace loopcert
