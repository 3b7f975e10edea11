// A sum Y = sum_i s_i G_i of independent gamma variables of one shape, which n/2 times the mean of
// n Gaussian quadratic costs is (docs/theory/chi-square.md).
#pragma once

#include "loopcert/core/types.hpp"

namespace loopcert {

// log of a number that is at least P(Y <= t), for any lambda > 0: near the saddle point, 1e-12 more
// at most where the density of Y is smooth (item 5).
double log_chance_below(const Vector& s, double shape, double t, double lambda);

// The smallest margin with L - Lhat < margin but for delta that item 6 gives where no eigenvalue of
// the covariance of the cost exceeds that of s; never above `known`, another such margin. Any
// lambda > 0.
double quantile_margin(const Vector& s, Index n, double delta, double lambda, double known);

}  // namespace loopcert
