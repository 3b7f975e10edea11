// A disturbance law with given mean and covariance, for sampling and for prescient (oracle)
// numbers.
#pragma once

#include <string>

#include "loopcert/core/random.hpp"
#include "loopcert/core/types.hpp"
#include "loopcert/data/disturbances.hpp"

namespace loopcert {

// gaussian: N(mean, covariance). uniform: w = mean + R u, R R' = covariance, with the entries of u
// independent and uniform on [-sqrt 3, sqrt 3] (unit variance), so that w is bounded.
enum class LawShape { gaussian, uniform };

struct Law {
  Vector mean;        // d_w
  Matrix covariance;  // d_w x d_w, positive semidefinite
  LawShape shape = LawShape::gaussian;
};

// The names used in files: "gaussian", "uniform".
std::string law_shape_name(LawShape shape);

void check_law(const Law& law, const Sizes& sizes);

// n trajectories; trajectory i is a function of (stream, first + i) and the law alone, and has the
// same bits in every build.
Disturbances sample_disturbances(const Law& law, const Stream& stream, Index n,
                                 std::uint64_t first = 0);

// R with R R' = covariance, as sampling uses it: diagonal, or the lower Cholesky factor, or for a
// singular covariance the one with pivoting. The same bits in every build.
Matrix law_factor(const Law& law);

// A length that trajectories of a uniform law come as near to as one likes, exactly the largest
// when R is diagonal; infinite for a Gaussian law that is not a point.
double law_reach(const Law& law);

// Stationary AR(1) noise: every component of w_t has the given variance and correlation coefficient
// `coefficient` with the same component one step before; x_0 is independent of all w_t with the
// same variance.
Matrix ar1_covariance(const Sizes& sizes, double coefficient, double variance);

}  // namespace loopcert
