// What the actuators can do, n_u x 2: lowest and highest of each input. In controller.json a list
// of pairs, null for a side without limit.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "loopcert/core/types.hpp"

namespace loopcert {

// Throws InputError: sizes, NaN, a lowest that is not below the highest. Empty is good: no limits.
void check_input_limits(const MatrixView& limits, Index n_u);

// Whether any side of any input has one.
bool has_input_limits(const Matrix& limits);

// The nearest input inside. NaN stays NaN.
Vector clipped(const Matrix& limits, const VectorView& u);

nlohmann::json input_limits_to_json(const Matrix& limits);
// Empty where the tree has none.
Matrix input_limits_of(const nlohmann::json& tree, Index n_u);

}  // namespace loopcert
