// The smallest risk under limits on rows whose mean is chosen with the response, or does not lie at
// zero: mean and deviation share the room (docs/theory/limits.md, learning, affine responses).
#pragma once

#include "learning/limited.hpp"

namespace loopcert {

// Beside the response a vector v of inputs' means costs v'P v + 2 slope'v, and row c has the mean
// offset_c + p_c'v. Its deviation, times factor, may be as large as keeps the probability of
// leaving [low_c, high_c] at share_c.
struct MeanProblem {
  Matrix P;          // d_u x d_u, or empty: nothing is chosen
  Vector slope;      // d_u
  Vector offset;     // C
  Vector low, high;  // C
  Vector share;      // C
  double factor = 1;
};

struct MeanMinimizer {
  LimitedMinimizer response;  // cost and lower include v's part
  Vector v;
};

// `problem.largest` is not used: it follows from the mean.
MeanMinimizer minimize_under_limits(const LimitedProblem& problem, const MeanProblem& mean,
                                    const LimitedOptions& options = {});

// The largest deviation of a row with this mean, in limits moved apart by `excess` units on each
// side, with derivatives by mean and excess. Concave; its second derivative is -bend * along
// along'.
struct Room {
  double deviation = 0;  // 0: the mean is outside
  Eigen::Vector2d slope = {0, 0};
  double bend = 0;
  Eigen::Vector2d along = {0, 0};
};
Room room_of(double low, double high, double unit, double mean, double excess, double share);

}  // namespace loopcert
