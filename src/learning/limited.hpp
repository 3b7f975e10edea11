// The smallest risk under limits on rows of the closed loop, by the dual: for multipliers lambda
// the Lagrangian is the unconstrained problem with P + sum lambda_c p_c p_c' in place of P, one
// causal factorization (docs/theory/limits.md, learning).
#pragma once

#include "loopcert/core/types.hpp"
#include "response/limit_rows.hpp"
#include "response/quadratic_form.hpp"

namespace loopcert {

// A minimizer under limits: rows p_c'Z + a_c0 whose size is bounded.
struct LimitedMinimizer {
  Matrix Z;
  double cost = 0;       // L(Z), with Z feasible
  double lower = 0;      // no response that keeps the limits costs less: gap = cost - lower
  Vector price;          // C: what the cost falls by when the room of row c grows, relative to it
  bool feasible = true;  // false: Z has the smallest excess there is
  Index worst = 0;       // the row that cannot be met
  double excess = 0;     // size of that row over its limit at Z, minus 1 (0 when feasible)
  // Of a chance: every response has a row that is broken in its step at least so often. With means
  // (at_least = false): how often row `worst` is at Z.
  double violation = 0;
  bool at_least = true;
  int evaluations = 0;   // causal factorizations
};

struct LimitedOptions {
  double relative_gap = 1e-9;
  int max_evaluations = 1000;
};

// What is minimized: <P Z S, Z> + 2 <B, Z> + gamma ||Z||^2 + base over causal Z on the columns of w
// alone, with row c's deviation sqrt(a_c'S a_c) at most largest(c).
struct LimitedProblem {
  CausalPattern pattern;  // without a constant
  Matrix P;               // d_u x d_u
  Matrix B;               // d_u x d_w
  Matrix S;               // d_w x d_w
  double base = 0;        // cost of Z = 0
  double gamma = 0;
  RowCoordinates rows;  // on the columns of w
  Vector largest;       // C, positive
};

LimitedMinimizer minimize_under_limits(const LimitedProblem& problem,
                                       const LimitedOptions& options = {});

}  // namespace loopcert
