// What costs and counts of trajectories add up to.
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/check.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/simulation/rollout.hpp"

namespace loopcert {

double share_of_episodes(const MatrixView& counts) {
  return (counts.array() > 0).rowwise().any().cast<double>().mean();
}

Vector shares_of_episodes(const MatrixView& counts) {
  return (counts.array() > 0).cast<double>().matrix().colwise().mean();
}

Vector shares_of_steps(const MatrixView& counts, Index steps) {
  return counts.colwise().mean() / static_cast<double>(steps);
}

CostStatistics cost_statistics(const VectorView& cost) {
  check_at_least("trajectories", cost.size(), 1);
  CostStatistics s;
  s.n = cost.size();
  const auto n = static_cast<double>(s.n);
  s.mean = cost.mean();
  if (s.n > 1) s.standard_deviation = std::sqrt((cost.array() - s.mean).square().sum() / (n - 1));
  s.standard_error = s.standard_deviation / std::sqrt(n);
  std::vector<double> parted(cost.begin(), cost.end());
  const auto middle = parted.begin() + static_cast<std::ptrdiff_t>(parted.size() / 2);
  std::nth_element(parted.begin(), middle, parted.end());
  s.median =
      parted.size() % 2 ? *middle : 0.5 * (*std::max_element(parted.begin(), middle) + *middle);
  const auto [least, most] = std::minmax_element(cost.begin(), cost.end());
  s.minimum = *least;
  s.maximum = *most;
  return s;
}

CostStatistics finite_statistics(const VectorView& cost) {
  const CostStatistics statistics = cost_statistics(cost);
  if (!cost.allFinite() || !std::isfinite(statistics.standard_error))
    throw NumericsError(
        "simulation: a cost is too large for double precision: the closed loop grows from step to "
        "step");
  return statistics;
}

}  // namespace loopcert
