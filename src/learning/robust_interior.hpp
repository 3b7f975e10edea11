// Interior points of robust limits: a primal-dual method (Mehrotra's, with the scaling of Nesterov
// and Todd) whose steps are linear systems in the response alone (robust_system.hpp).
#pragma once

#include "learning/robust_problem.hpp"
#include "learning/second_order_cones.hpp"

namespace loopcert {

// What is minimized: the cost, with all limits kept; or, with a finite penalty, cost + penalty *
// slack with size_c <= room_c + slack, slack >= 0.
struct RobustAim {
  double penalty = INFINITY;
  double gap = 1e-9;  // over the cost; of an elastic aim over the penalty

  bool hard() const { return std::isinf(penalty); }
};

// The best that the iterates gave: a response, multipliers y (columns x C) with prices, and what
// each of them proves.
struct RobustPoint {
  Matrix Y;
  double cost = 0;           // of Y
  double slack = INFINITY;   // largest overshoot of a row at Y
  Vector price;              // C, per unit of room
  double lower = -INFINITY;  // of the aim: no Y does better
  double lower_hard = -INFINITY;  // no Y that keeps the limits costs less
  Matrix inner;              // a response with all limits kept and room left, if one was met
  double inner_slack = INFINITY;
  int iterations = 0;
  bool done = false;
};

RobustPoint interior_point(const RobustProblem& problem, const RobustAim& aim, const Matrix& start);

}  // namespace loopcert
