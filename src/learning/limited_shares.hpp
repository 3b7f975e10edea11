// How rows at their steps share the probability that an episode breaks any of them.
#pragma once

#include "learning/limited_design.hpp"

namespace loopcert {

// The same for each. Where the probability is that of each row (limits.each), all of it.
Vector equal_shares(const Limits& limits);

// To each as often as a response breaks it, up to a common factor, and a tenth to all alike. What
// is broken with at most nine tenths of limits.probability, all rows together, keeps these shares.
Vector shares_by_need(const Limits& limits, const Vector& violations);

// How often each row is broken with Z, deviations being `factor` times those of the moment.
Vector violations_of(const ResponseSpace& space, const Limits& limits, const Matrix& moment,
                     const Matrix& Z, double factor);

// design_under_limits with other shares than equal ones. Not for robust limits.
LimitedMinimizer design_with_shares(const ResponseSpace& space, const Limits& limits,
                                    const Vector& shares, const LearnedObjective& objective,
                                    double factor, const LimitedOptions& options = {});

// Equal shares; by need where these are too narrow and others are not. They are where a few rows
// are beyond the reach of inputs, as states at the first steps are.
LimitedMinimizer design_by_need(const ResponseSpace& space, const Limits& limits,
                                const LearnedObjective& objective, double factor);

}  // namespace loopcert
