// lqr: the Riccati recursion. It looks at no data.
#include "methods.hpp"
#include "response/lqr.hpp"

namespace loopcert {
namespace {

Learned learn_lqr(const LearnTask& task) {
  Learned learned;
  learned.response = lqr_response(task.problem.system);
  return learned;
}

}  // namespace

LearnMethod lqr_method() { return {.needs_data = false, .learn = learn_lqr, .coordinates = false}; }

}  // namespace loopcert
