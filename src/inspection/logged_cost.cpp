#include "inspection/warnings.hpp"
#include "loopcert/simulation/rollout.hpp"

namespace loopcert {

// The cost of each episode, as it was logged.
std::optional<LoggedCost> logged_cost(const System& system, const Disturbances& data) {
  if (!data.from_logs()) return std::nullopt;
  const Sizes sizes = system.sizes();
  Matrix x = data.logs.x.transpose();
  if (system.cost.reference.size() > 0) x.colwise() -= system.cost.reference.reshaped();
  const Matrix u = data.logs.u.transpose();
  const Vector cost = (x.cwiseProduct(apply_Q(system.cost, sizes, x)).colwise().sum() +
                       u.cwiseProduct(apply_R(system.cost, sizes, u)).colwise().sum())
                          .transpose();
  if (!cost.allFinite()) return std::nullopt;
  const CostStatistics statistics = cost_statistics(cost);
  return LoggedCost{statistics.mean, statistics.standard_error};
}

}  // namespace loopcert
