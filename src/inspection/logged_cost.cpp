#include "loopcert/inspection/warnings.hpp"
#include "loopcert/simulation/rollout.hpp"

namespace loopcert {

// sum_{t<T} x_t'Q_t x_t + u_t'R_t u_t + x_T'P x_T of each episode, as it was logged.
std::optional<LoggedCost> logged_cost(const System& system, const Rollouts* logs) {
  if (!logs || logs->x.rows() == 0) return std::nullopt;
  const Sizes sizes = system.sizes();
  const Matrix x = logs->x.transpose(), u = logs->u.transpose();
  const Vector cost = (x.cwiseProduct(apply_Q(system.cost, sizes, x)).colwise().sum() +
                       u.cwiseProduct(apply_R(system.cost, sizes, u)).colwise().sum())
                          .transpose();
  if (!cost.allFinite()) return std::nullopt;
  const CostStatistics statistics = cost_statistics(cost);
  return LoggedCost{statistics.mean, statistics.standard_error};
}

}  // namespace loopcert
