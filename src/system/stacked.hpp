// Plants as operators. Stacked dynamics of a state: x = Z_A x + Z_B u + w + d, hence F = (I -
// Z_A)^-1 and G = S_x = F Z_B by block recursion (paper, app:sls). No large matrix is ever
// inverted.
#pragma once

#include "loopcert/system/plant.hpp"
#include "system/plant_operator.hpp"

namespace loopcert {

// The plant as an operator: Y_0 = W_0, Y_{t+1} = A_t Y_t + B_t U_t + W_{t+1}; of outputs W + G U,
// or where other signals are in the cost the later part of W, plus G_x U.
PlantOperator plant_operator(const Plant& plant);

// Z_A X and Z_B U.
Matrix apply_Z_A(const Plant& plant, const MatrixView& X);
Matrix apply_Z_B(const Plant& plant, const MatrixView& U);

}  // namespace loopcert
