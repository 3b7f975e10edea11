#include "workflow/learning_setup.hpp"

#include "core/memory.hpp"
#include "data/moments.hpp"
#include "learning/minimizers.hpp"
#include "loopcert/core/error.hpp"
#include "response/lqr.hpp"
#include "response/space.hpp"
#include "risk/risk.hpp"

namespace loopcert {
namespace {

ResponseSpace finite_space(const Problem& problem, const ResponseOptions& options) {
  ResponseSpace space = make_response_space(problem.system, options);
  if (!space.cost.P.allFinite() || !space.cost.K_0.allFinite())
    throw NumericsError("the states overflow within the horizon, whatever the first inputs are");
  return space;
}

}  // namespace

LearningSetup make_learning_setup(const Problem& problem, bool with_coordinates) {
  const bool constant = problem.response.affine || problem.system.plant.has_offset();
  check_memory("problem", predicted_memory(problem.sizes(), constant), memory_limit());
  LearningSetup ground;
  if (with_coordinates) ground.space = finite_space(problem, problem.response);
  ground.around_lqr = finite_space(problem, around_lqr(problem.response.affine));
  ground.lqr = lqr_response(problem.system);
  if (problem.disturbance.law) {
    const Moments law = law_moments(*problem.disturbance.law);
    const Matrix Sigma = moment_matrix(law, constant);
    const ResponseSpace& space = ground.around_lqr;  // whatever the coordinates of the method are
    ground.law = {law, risk(space.cost, Sigma, minimize_risk(space.cost, Sigma).Z),
                  response_risk(problem.system, ground.lqr, law)};
  }
  return ground;
}

}  // namespace loopcert
