// lqr: the Riccati recursion. It looks at no data.
#include "loopcert/core/error.hpp"
#include "methods.hpp"
#include "response/lqr.hpp"

namespace loopcert {
namespace {

Learned learn_lqr(const LearnTask& task) {
  if (!task.problem.system.plant.has_state())
    throw_input_error("learning.method", "'lqr'",
                      "a method that needs no state: only outputs are measured here");
  Learned learned;
  learned.response = lqr_response(task.problem.system);
  return learned;
}

}  // namespace

LearnMethod lqr_method() { return {.needs_data = false, .learn = learn_lqr, .coordinates = false}; }

}  // namespace loopcert
