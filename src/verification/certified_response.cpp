#include "verification/certified_response.hpp"

#include <cmath>

#include "certificate/deployment.hpp"
#include "certificate/record_arrays.hpp"
#include "controller/closed_loop.hpp"
#include "controller/controller_trees.hpp"
#include "core/check.hpp"
#include "core/json.hpp"
#include "loopcert/controller/controller_file.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/verification/recheck.hpp"
#include "recompute.hpp"
#include "response/space.hpp"
#include "verification/recheck_identified.hpp"

namespace loopcert {
namespace {

using nlohmann::json;

// From the controller (certify), the responses (hold-out and cross kinds) or the posterior beside
// it.
Response certified_response(const std::filesystem::path& path, const json& inputs,
                            const Problem& problem) {
  if (inputs.contains("controller")) {
    const std::string bytes = read_checked(path, inputs, "controller");
    const Controller controller =
        at_place("controller", [&] { return controller_from_json(parse_json(bytes)); });
    check_size("controller K", controller.K, problem.sizes().d_u(), problem.sizes().d_y());
    return closed_loop_response(problem.system, controller);
  }
  if (inputs.contains("responses"))
    return deployed_response(
        {.responses = parse_responses(problem.system, read_checked(path, inputs, "responses"))});
  const Posterior posterior = parse_posterior(read_checked(path, inputs, "posterior"));
  const ResponseSpace space = make_response_space(problem.system, problem.response);
  check_posterior(posterior, space.coordinates.pattern);
  return response_at(problem.system, space.coordinates, posterior.mean);
}

}  // namespace

void check_realizes(const std::filesystem::path& path, const Controller& controller) {
  const Problem problem = problem_of_certificate(path);
  if (problem.identifies()) return check_certifies_gains(path, controller);
  const json inputs = read_record(path).inputs;
  at_place(path.string(), [&] {
    check_size("K of the controller", controller.K, problem.sizes().d_u(), problem.sizes().d_y());
    const Response certified = certified_response(path, inputs, problem);
    const Response found = closed_loop_response(problem.system, controller);
    if (!(relative_distance(problem.system, found, certified) <= 1e-6))
      throw InputError("this certificate was issued for a different controller");
  });
}

void check_certifies(const std::filesystem::path& path, const Controller& controller) {
  const Certificate c = read_certificate(path);
  const bool other = is_difference(c) || is_violation(c);
  if (other || c.subject == Subject::posterior_average)
    throw InputError(path.string() +
                     ": this certificate is not about the cost of one controller (" +
                     (other ? c.functional.id : subject_name(c.subject)) + ")");
  check_realizes(path, controller);
}

}  // namespace loopcert
