// The lower tail of the smallest eigenvalue of W = (1/n) sum_i g_i g_i', g_i ~ N(0, I_d): what n
// Gaussian samples say about a covariance from above (docs/theory/covariance-envelopes.md).
#pragma once

#include <optional>

#include "loopcert/core/types.hpp"

namespace loopcert {

// q >= 0 with P(lambda_min(W) < q) <= delta, the largest of the three below; 0 when n <= d.
// Remembered: it depends on (d, n, delta) alone.
double wishart_floor(Index d, Index n, double delta);

// (1 - sqrt(d/n) - sqrt(2 log(1/delta)/n))_+^2 (Davidson and Szarek).
double wishart_floor_by_concentration(Index d, Index n, double delta);

// From a bound on the density of lambda_min near zero: positive for every n > d, and the best of
// the cheap two when n is near d.
double wishart_floor_by_density(Index d, Index n, double delta);

// The quantile itself; nothing beyond the limits, which keep it under a second, or when no
// precision is enough.
std::optional<double> wishart_floor_exact(Index d, Index n, double delta);
inline constexpr Index wishart_exact_limit = 40;       // of d
inline constexpr Index wishart_exact_samples = 20000;  // of n

// P(lambda_min(W) < q) by de Bruijn's Pfaffian in multiprecision arithmetic; nothing unless two
// precisions agree to 1e-12.
std::optional<double> wishart_cdf(Index d, Index n, double q);

}  // namespace loopcert
