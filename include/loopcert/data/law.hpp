// A Gaussian disturbance law N(mean, covariance), for sampling and for prescient (oracle) numbers.
#pragma once

#include "loopcert/core/random.hpp"
#include "loopcert/core/types.hpp"
#include "loopcert/data/disturbances.hpp"
#include "loopcert/data/moments.hpp"

namespace loopcert {

struct Law {
  Vector mean;        // d_w
  Matrix covariance;  // d_w x d_w, positive semidefinite
};

void check_law(const Law& law, const Sizes& sizes);
Moments law_moments(const Law& law);

// n trajectories; trajectory i is a function of (stream, first + i) and the law alone.
Disturbances sample_disturbances(const Law& law, const Stream& stream, Index n,
                                 std::uint64_t first = 0);

// Stationary AR(1) noise: every component of w_t has the given variance and correlation coefficient
// `coefficient` with the same component one step before; x_0 is independent of all w_t with the
// same variance.
Matrix ar1_covariance(const Sizes& sizes, double coefficient, double variance);

}  // namespace loopcert
