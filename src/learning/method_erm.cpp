// erm: the response of smallest empirical cost.
#include <fmt/format.h>

#include "learning/minimizers.hpp"
#include "methods.hpp"

namespace loopcert {
namespace {

Learned learn_erm(const LearnTask& task) {
  const CausalPattern& pattern = task.space.coordinates.pattern;
  const Minimizer minimizer = minimize_risk(task.space.cost, task.Sigma_hat);
  const Index full_rank = pattern.end_free_column() - pattern.first_free_column();

  Learned learned;
  learned.response = response_at(task.problem.system, task.space.coordinates, minimizer.Z);
  learned.objective = LearnedObjective{task.Sigma_hat};
  learned.details = {
      {"determined", minimizer.determined}, {"rank", minimizer.rank}, {"full_rank", full_rank}};
  if (!minimizer.left_device.empty()) learned.warnings.push_back(minimizer.left_device);
  if (!minimizer.determined)
    learned.warnings.push_back(
        fmt::format("the data do not determine the minimizer (n = {}, rank {} of {}): the one "
                    "nearest to the start is used",
                    task.data.n(), minimizer.rank, full_rank));
  return learned;
}

}  // namespace

LearnMethod erm_method() { return {.learn = learn_erm}; }

}  // namespace loopcert
