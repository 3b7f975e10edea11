#include "inspection/logged_cost.hpp"

#include "inspection/warnings.hpp"
#include "loopcert/simulation/rollout.hpp"
#include "system/unseen.hpp"

namespace loopcert {

Vector costs_of_paths(const System& system, const Rollouts& paths) {
  const Sizes sizes = system.sizes();
  Matrix x = paths.x.transpose();
  if (system.cost.reference.size() > 0) x.colwise() -= system.cost.reference.reshaped();
  const Matrix u = paths.u.transpose();
  return (x.cwiseProduct(apply_Q(system.cost, sizes, x)).colwise().sum() +
          u.cwiseProduct(apply_R(system.cost, sizes, u)).colwise().sum())
      .transpose();
}

// The cost of each episode, as it was logged. Of signals that no log has nothing is said.
std::optional<LoggedCost> logged_cost(const System& system, const Disturbances& data) {
  const bool of_states = system.plant.G_x.size() > 0 && unseen_outputs(system.plant) == 0;
  if (!data.from_logs() || of_states) return std::nullopt;
  const Vector cost = costs_of_paths(system, data.logs);
  if (!cost.allFinite()) return std::nullopt;
  const CostStatistics statistics = cost_statistics(cost);
  return LoggedCost{statistics.mean, statistics.standard_error};
}

}  // namespace loopcert
