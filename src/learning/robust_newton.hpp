// The method of multipliers with Newton's steps: what ADMM comes close to, to all digits.
#pragma once

#include "learning/robust_admm.hpp"

namespace loopcert {

// From a point of ADMM and its rho, with at most so many solves. Where it gives up, the point is
// the best that it has seen, or the first.
RobustPoint robust_newton(const RobustProblem& problem, const RobustAim& aim,
                          const RobustPoint& start, double rho, int budget, int& solves);

}  // namespace loopcert
