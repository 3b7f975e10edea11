// Interior points of robust limits: a primal-dual method (Mehrotra's, with the scaling of Nesterov
// and Todd) whose steps are linear systems in the response alone (robust_system.hpp).
#pragma once

#include "learning/robust_problem.hpp"
#include "learning/second_order_cones.hpp"

namespace loopcert {

// What is minimized: cost + penalty * slack, size_c <= room_c + slack, slack >= 0. With a large
// penalty that is the cost with all limits kept, where they can be kept.
struct RobustAim {
  double penalty = 0;
  double relative_gap = 1e-9;  // of the cost, once all limits are kept
  double excess_gap = 1e-9;    // of the slack, where they cannot be
};

// The best that the iterates gave, and what they prove.
struct RobustPoint {
  Matrix Y;
  double cost = INFINITY;    // of Y
  double slack = INFINITY;   // largest overshoot of a row at Y; at most 0: all limits kept
  Vector price;              // C, per unit of room
  double lower = -INFINITY;  // no Y that keeps the limits costs less
  double least_slack = 0;    // no Y has less, but for cost / penalty
  int iterations = 0;
  bool done = false;
};

RobustPoint interior_point(const RobustProblem& problem, const RobustAim& aim, const Matrix& start);

}  // namespace loopcert
