#include "workflow/learning_setup.hpp"

#include "core/memory.hpp"
#include "data/moments.hpp"
#include "learning/learn_on_parts.hpp"
#include "learning/limited_design.hpp"
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

void check_memory_for(const Problem& problem) {
  check_memory("problem", predicted_memory(problem.sizes(), problem.has_constant()),
               memory_limit());
}

LearningSetup make_learning_setup(const Problem& problem, bool with_coordinates) {
  LearningSetup setup;
  if (with_coordinates) setup.space = finite_space(problem, problem.response);
  setup.around_lqr = finite_space(problem, around_lqr(problem.response.affine));
  setup.lqr = lqr_response(problem.system);
  return setup;
}

// Whatever the method's coordinates are.
Matrix optimum_under_law(const Problem& problem, const LearningSetup& setup, const Matrix& Sigma) {
  if (problem.limits) {
    if (!out_of_reach(*problem.limits, setup.around_lqr).empty()) return {};
    LimitedMinimizer found =
        design_under_limits(setup.around_lqr, *problem.limits, {Sigma}, /*factor=*/1);
    return found.feasible ? std::move(found.Z) : Matrix();
  }
  return minimize_risk(setup.around_lqr.cost, Sigma).Z;
}

CostsUnderLaw costs_under_law(const Problem& problem, const LearningSetup& setup, Moments law,
                              const Matrix& Sigma, const Matrix& Z_optimal) {
  const double lqr = response_risk(problem.system, setup.lqr, law);
  std::optional<double> optimal;
  if (Z_optimal.size() > 0) optimal = risk(setup.around_lqr.cost, Sigma, Z_optimal);
  return {std::move(law), optimal, lqr};
}

std::optional<CostsUnderLaw> costs_under_law(const Problem& problem, const LearningSetup& setup) {
  if (!problem.disturbance.law) return std::nullopt;
  Moments law = law_moments(*problem.disturbance.law);
  const Matrix Sigma = moment_matrix(law, problem.has_constant());
  const Matrix Z = optimum_under_law(problem, setup, Sigma);
  return costs_under_law(problem, setup, std::move(law), Sigma, Z);
}

}  // namespace loopcert
