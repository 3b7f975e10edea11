// baseline: the controller that runs today ([baseline]). It looks at no data.
#include "certificate/from_problem.hpp"
#include "loopcert/core/error.hpp"
#include "methods.hpp"

namespace loopcert {
namespace {

Learned learn_baseline(const LearnTask& task) {
  if (!task.problem.baseline)
    throw_input_error("baseline", "nothing", "the controller of method baseline");
  Learned learned;
  learned.response = baseline_response(task.problem);
  return learned;
}

}  // namespace

LearnMethod baseline_method() {
  return {.needs_data = false, .learn = learn_baseline, .coordinates = false};
}

}  // namespace loopcert
