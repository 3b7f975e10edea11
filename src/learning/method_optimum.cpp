// optimum: the smallest cost under the law that the problem states, and under its limits. It looks
// at no data.
#include "data/moments.hpp"
#include "learning/learn_on_parts.hpp"
#include "learning/limited_shares.hpp"
#include "learning/minimizers.hpp"
#include "loopcert/core/error.hpp"
#include "methods.hpp"

namespace loopcert {
namespace {

Learned learn_optimum(const LearnTask& task) {
  const Problem& problem = task.problem;
  if (!problem.disturbance.law)
    throw_input_error("disturbance.covariance", "nothing",
                      "the true law, under which method optimum is the best");
  Learned learned;
  learned.objective = LearnedObjective{moment_matrix(law_moments(*problem.disturbance.law),
                                                     task.space.coordinates.pattern.constant)};
  Matrix Z;
  if (problem.limits) {
    learned.limited = design_by_need(task.space, *problem.limits, *learned.objective, /*factor=*/1);
    note_infeasible(learned, task);
    Z = learned.limited->Z;
  } else {
    Z = minimize_risk(task.space.cost, learned.objective->moment).Z;
  }
  learned.response = response_at(problem.system, task.space.coordinates, Z);
  return learned;
}

}  // namespace

LearnMethod optimum_method() {
  return {.needs_data = false, .learn = learn_optimum, .coordinates = false};
}

}  // namespace loopcert
