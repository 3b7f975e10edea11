// Second moments: all that a quadratic risk needs to know of a law or a data set.
#pragma once

#include "loopcert/core/types.hpp"
#include "loopcert/data/disturbances.hpp"
#include "loopcert/data/law.hpp"

namespace loopcert {

// Of one law or one data set. second = E[w w'] (not centred).
struct Moments {
  Vector mean;    // d_w
  Matrix second;  // d_w x d_w

  Matrix covariance() const;  // second - mean mean'
};

Moments law_moments(const Law& law);

// Sample moments with 1/n (paper, eq:emprical_covariance_app).
Moments sample_moments(const Disturbances& data);

// The second moment of (1, w) when `constant` (the constant in front, so that causal patterns stay
// nested), else of w: the Sigma that risk and certificates take. Size d_z.
Matrix moment_matrix(const Moments& moments, bool constant);

// (1, w) rows: n x d_z.
Matrix extended_rows(const Disturbances& data, bool constant);

}  // namespace loopcert
