// Minimizers of the quadratic risk whose closed loop keeps limits (docs/theory/limits.md).
#pragma once

#include "loopcert/core/types.hpp"

namespace loopcert {

// A minimizer under limits: rows p_c'Z + a_c0 whose size is bounded.
struct LimitedMinimizer {
  Matrix Z;
  double cost = 0;   // L(Z), with Z feasible
  double lower = 0;  // no response that keeps the limits costs less: gap = cost - lower
  Vector price;      // C: what the cost would fall by, per unit of the limit of row c: d cost / d
                     // limit, negated
  bool feasible = true;  // false: Z has the smallest violation there is
  Index worst = 0;       // the row that cannot be met
  double excess = 0;     // size of that row over its limit at Z, minus 1 (0 when feasible)
  int evaluations = 0;   // causal factorizations
};

}  // namespace loopcert
