// Learning under limits. A method hands back the quadratic objective that it has minimized; here it
// is minimized again with the deviation of every row at most what the limits leave, over a factor.
#pragma once

#include <optional>
#include <string>

#include "learning/limited.hpp"
#include "response/space.hpp"

namespace loopcert {

// L(Z) under `moment` + gamma ||Z - center||^2; with `center` alone the minimum is there.
struct LearnedObjective {
  Matrix moment;  // d_z x d_z, of the space's columns
  double gamma = 0;
  Matrix center = {};  // empty: gamma pulls to zero, and the risk's own minimizer counts
};

// `factor`: the estimate's deviations must be that many times smaller than allowed, so that a
// certificate has room. Robust limits take no factor: it must be 1. Z has the columns of the space.
LimitedMinimizer design_under_limits(const ResponseSpace& space, const Limits& limits,
                                     const LearnedObjective& objective, double factor,
                                     const LimitedOptions& options = {});

// Of limits that cannot be met: which row it is for the controller that comes nearest, and by how
// much.
std::string infeasible_words(const Limits& limits, const LimitedMinimizer& least);

}  // namespace loopcert
