// The second moment of a bounded vector, from above.
#pragma once

#include "loopcert/core/types.hpp"

namespace loopcert {

// eps = sqrt(2 reach (norm_hat + eps) log(d/delta) / n): with probability 1 - delta,
// E[vv'] <= (1/n) sum v_i v_i' + eps I for n independent vectors in dimension d with
// ||v||^2 <= reach, norm_hat the norm of the sample's second moment (docs/theory/bounded.md).
double second_moment_radius(double norm_hat, double reach, Index d, Index n, double delta);

}  // namespace loopcert
