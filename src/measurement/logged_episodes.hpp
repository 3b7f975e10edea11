// Costs and broken limits of what was logged: no model takes part.
#pragma once

#include "loopcert/measurement/measure.hpp"

namespace loopcert {

// Of each episode. Throws InputError: no finite horizon, other sizes, NaN or Inf.
Vector logged_costs(const Problem& problem, const Rollouts& rollouts);

// n x rows of the limits at their steps: 0 or 1.
Matrix logged_violations(const Limits& limits, const Sizes& sizes, const Rollouts& rollouts);

// Clopper and Pearson's bound on the probability of any violation in an episode, or of the worst
// row at its step.
Certificate certificate_of_violations(const Matrix& violations, bool each, double delta);

}  // namespace loopcert
