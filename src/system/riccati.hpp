// The stationary Riccati equation S = Q + A'S A - A'S B (R + B'S B)^-1 B'S A: the cost-to-go of a
// loop that has no last step.
#pragma once

#include "loopcert/core/types.hpp"
#include "loopcert/system/cost.hpp"

namespace loopcert {

// A state that is measured, one A, B, Q and R for all steps, one offset and one reference.
bool is_time_invariant(const System& system);

struct StationaryLqr {
  Matrix S;  // cost-to-go x'S x; symmetric, positive semidefinite
  Matrix K;  // u = K x
};

// The smallest solution, to which the finite-horizon recursion converges from weight zero. States
// may have units of their own. Throws InputError when there is none: a state that costs something
// does not die out, and no input brings it back. Only A[0], B[0], Q[0] and R[0] are used.
StationaryLqr stationary_lqr(const System& system);

}  // namespace loopcert
