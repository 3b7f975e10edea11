// start: the response that every search begins at, Z = 0. It looks at no data, and with the prior
// centred there it is what PAC-Bayes learning moves away from.
#include "methods.hpp"

namespace loopcert {
namespace {

Learned learn_start(const LearnTask& task) {
  const CausalPattern& pattern = task.space.coordinates.pattern;
  Learned learned;
  learned.response = response_at(task.problem.system, task.space.coordinates,
                                 Matrix::Zero(pattern.rows(), pattern.cols()));
  return learned;
}

}  // namespace

LearnMethod start_method() { return {.needs_data = false, .learn = learn_start}; }

}  // namespace loopcert
