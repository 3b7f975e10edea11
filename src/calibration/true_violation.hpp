// How often limits are broken in truth, under a law that mixes Gaussian ones.
#pragma once

#include <vector>

#include "calibration/coverage.hpp"
#include "response/limit_rows.hpp"

namespace loopcert {

// In an episode, or, with `each`, of the row at its step that is broken most often. Rows alone in
// closed form; together, at most four of them, by quadrature, rounded upwards by its error. Throws
// InputError for more rows or without parts, NumericsError where that is above 1e-6.
double true_violation(const Limits& limits, const RowResponses& rows,
                      const std::vector<LawPart>& parts);

}  // namespace loopcert
