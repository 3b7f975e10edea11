// One closed-loop response: x = Phi_x w + phi_x, u = Phi_u w + phi_u  (paper, eq:sls_affine).
#pragma once

#include "loopcert/core/types.hpp"

namespace loopcert {

struct Response {
  Matrix Phi_x;  // d_x x d_w; with the state measured unit lower triangular by blocks
  Matrix Phi_u;  // d_u x d_w, block lower triangular
  Vector phi_x;  // d_x
  Vector phi_u;  // d_u
};

}  // namespace loopcert
