// lqr: the Riccati recursion. It looks at no data.
#include "loopcert/response/lqr.hpp"
#include "methods.hpp"

namespace loopcert {

Learned learn_lqr(const LearnTask& task) {
  Learned learned;
  learned.response = lqr_response(task.problem.system);
  return learned;
}

}  // namespace loopcert
