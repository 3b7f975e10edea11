// The work of one value with gradient.
#pragma once

#include "loopcert/system/plant.hpp"

namespace loopcert::bench {

// Floating-point operations of the matrix products in BoundEvaluator::evaluate with a gradient,
// when U = alpha Sigma_hat + beta I. N_0'(Z U) and P (Z Sigma_hat) are full; Z Sigma_hat, Z'(H U),
// V U.^2, HU KU, (V.*HU) U and three products by P or P.^2 have a causal factor or a causal result,
// hence half the operations.
inline double evaluation_flops(const Sizes& sizes) {
  const double z = static_cast<double>(sizes.d_w()), u = static_cast<double>(sizes.d_u());
  return 2 * (u * z * z + u * u * z + 0.5 * (5 * u * z * z + 3 * u * u * z));
}

}  // namespace loopcert::bench
