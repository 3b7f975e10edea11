// lqr: the Riccati recursion. It looks at no data.
#include "methods.hpp"
#include "response/lqr.hpp"

namespace loopcert {

Learned learn_lqr(const LearnTask& task) {
  Learned learned;
  learned.response = lqr_response(task.problem.system);
  return learned;
}

}  // namespace loopcert
