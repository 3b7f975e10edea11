// Many second-order cones {(t, x): t >= ||x||} side by side in one vector, with the scaling of
// Nesterov and Todd (as in Vandenberghe, The CVXOPT linear and quadratic cone program solvers,
// 2010): for s and u inside, a W with W^-T s = W u = lambda.
#pragma once

#include <vector>

#include "loopcert/core/types.hpp"

namespace loopcert {

struct Cone {
  Index begin = 0, size = 2;  // t first
};

// t^2 - ||x||^2
double determinant(const Cone& cone, const Vector& s);

// The largest step that keeps s + step * change inside; at most `most`.
double longest_step(const Cone& cone, const Vector& s, const Vector& change, double most);

struct ConeScaling {
  Vector w;       // of determinant 1 in each cone: W^2 = beta^2 (2 w w' - J)
  Vector beta;    // one per cone
  Vector lambda;  // W u

  ConeScaling(const std::vector<Cone>& cones, const Vector& s, const Vector& u);
  // W^-1 f for f with lambda o f = -lambda o lambda + mu e - (W^-1 ds) o (W du): the right side of
  // du + W^-2 ds. ds and du may be empty.
  Vector right_side(const std::vector<Cone>& cones, double mu, const Vector& ds,
                    const Vector& du) const;
};

}  // namespace loopcert
