// Sums whose bits are the same in every build: what a recording is may not depend on the compiler.
// Plain loops, compiled without contraction (CMakeLists.txt). Vector units take several rows at
// once, never several terms of one sum, so their width does not matter either. No arithmetic of
// Eigen: the linker may take its functions from files that were compiled otherwise.
#pragma once

#include "loopcert/data/disturbances.hpp"

namespace loopcert {

// n x d_w: x_0, and w_t = ((x_{t+1} - A_t x_t) - B_t u_t) - d_t, each product summed from the left.
// Of outputs y - G u - d, eta_0 = y_0 in front.
// What rounding alone could have made is zero: a row of the model that holds exactly has no noise,
// and nobody should learn from the last bits of a log.
Matrix model_errors(const Plant& plant, const Rollouts& rollouts);

// L lower triangular with L L' = value, or empty when a squared pivot is not above `tolerance`
// times its diagonal entry.
Matrix plain_cholesky(const Matrix& value, double tolerance);

// The same for a singular value, rows in the order of the largest pivots as parts of their diagonal
// entries, so R is no triangle; what is left when no pivot is above `tolerance` of its entry is
// taken for zero.
Matrix plain_pivoted_cholesky(const Matrix& value, double tolerance);

// factor * columns.
Matrix plain_product(const Matrix& factor, const Matrix& columns);

}  // namespace loopcert
