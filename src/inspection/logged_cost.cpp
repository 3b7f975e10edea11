#include "inspection/warnings.hpp"
#include "loopcert/simulation/rollout.hpp"

namespace loopcert {

// sum_{t<T} x_t'Q_t x_t + u_t'R_t u_t + x_T'P x_T of each episode, as it was logged.
std::optional<LoggedCost> logged_cost(const System& system, const Disturbances& data) {
  if (!data.from_logs()) return std::nullopt;
  const Sizes sizes = system.sizes();
  const Matrix x = data.logs.x.transpose(), u = data.logs.u.transpose();
  const Vector cost = (x.cwiseProduct(apply_Q(system.cost, sizes, x)).colwise().sum() +
                       u.cwiseProduct(apply_R(system.cost, sizes, u)).colwise().sum())
                          .transpose();
  if (!cost.allFinite()) return std::nullopt;
  const CostStatistics statistics = cost_statistics(cost);
  return LoggedCost{statistics.mean, statistics.standard_error};
}

}  // namespace loopcert
