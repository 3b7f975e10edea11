// Stacked dynamics x = F (w + d) + S_x u with F = (I - Z_A)^-1 and S_x = F Z_B, by block recursion
// (paper, app:sls). No large matrix is ever inverted.
#pragma once

#include "loopcert/core/types.hpp"
#include "loopcert/system/plant.hpp"

namespace loopcert {

struct StackedOperators {
  Matrix F;    // d_w x d_w, unit lower triangular
  Matrix S_x;  // d_w x d_u, block row t+1 uses block columns 0 … t
};

StackedOperators stacked_operators(const Plant& plant);

// F X by the recursion Y_0 = X_0, Y_{t+1} = A_t Y_t + X_{t+1}, without forming F. X is d_w x m.
Matrix apply_F(const Plant& plant, const MatrixView& X);

// S_x U by the same recursion. U is d_u x m.
Matrix apply_S_x(const Plant& plant, const MatrixView& U);

// Z_A X and Z_B U: the right-hand side of x = Z_A x + Z_B u + w + d.
Matrix apply_Z_A(const Plant& plant, const MatrixView& X);
Matrix apply_Z_B(const Plant& plant, const MatrixView& U);

}  // namespace loopcert
