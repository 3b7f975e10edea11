#include "loopcert/experiment/groundwork.hpp"

#include "loopcert/core/error.hpp"
#include "loopcert/core/memory.hpp"
#include "loopcert/response/lqr.hpp"
#include "loopcert/risk/minimizers.hpp"
#include "loopcert/risk/risk.hpp"

namespace loopcert {
namespace {

void require_finite(const Matrix& value) {
  if (!value.allFinite())
    throw NumericsError(
        "the plant grows beyond all numbers within its horizon, whatever the first inputs are");
}

}  // namespace

Groundwork lay_groundwork(const Problem& problem) {
  const bool constant = problem.response.affine || problem.system.plant.has_offset();
  check_memory("problem", predicted_memory(problem.sizes(), constant), memory_limit());
  Groundwork ground;
  ground.space = make_response_space(problem.system, problem.response);
  require_finite(ground.space.P);
  require_finite(ground.space.K_0);
  ground.lqr = lqr_response(problem.system);
  if (problem.disturbance.law) {
    const Moments law = law_moments(*problem.disturbance.law);
    const Matrix Sigma = moment_matrix(law, constant);
    const Matrix best = minimize_risk(ground.space, Sigma).Z;
    ground.law = {law, risk(ground.space, Sigma, best),
                  response_risk(problem.system, ground.lqr, law)};
  }
  return ground;
}

}  // namespace loopcert
