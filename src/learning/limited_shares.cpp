#include "learning/limited_shares.hpp"

namespace loopcert {

Vector equal_shares(const Limits& limits) {
  const Index C = limits.count();
  const double share =
      limits.each ? limits.probability : limits.probability / static_cast<double>(C);
  return Vector::Constant(C, share);
}

Vector shares_by_need(const Limits& limits, const Vector& violations) {
  constexpr double alike = 0.1;
  const double needed = violations.sum();
  const Vector equal = equal_shares(limits);
  if (!(needed > 0)) return equal;
  return (1 - alike) * limits.probability / needed * violations + alike * equal;
}

LimitedMinimizer design_by_need(const ResponseSpace& space, const Limits& limits,
                                const LearnedObjective& objective, double factor) {
  LimitedMinimizer equal = design_under_limits(space, limits, objective, factor);
  const bool hopeless = equal.at_least && equal.violation > limits.probability;  // by one row alone
  if (equal.feasible || limits.robust || limits.each || hopeless) return equal;
  constexpr int rounds = 8;
  constexpr double worth = 1e-3;  // of the cost
  LimitedMinimizer best = equal, last = equal;
  int evaluations = equal.evaluations;
  // Rows without a price hand on what they do not need: the cost falls once limits are kept.
  for (int round = 0; round < rounds; ++round) {
    const Vector broken = violations_of(space, limits, objective.moment, last.Z, factor);
    last = design_with_shares(space, limits, shares_by_need(limits, broken), objective, factor);
    evaluations += last.evaluations;
    if (best.feasible && !(last.feasible && last.cost < (1 - worth) * best.cost)) break;
    if (last.feasible) best = last;
  }
  best.evaluations = evaluations;
  return best;
}

}  // namespace loopcert
