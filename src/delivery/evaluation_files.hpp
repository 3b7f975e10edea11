// The files of `loopcert evaluate --out`.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "delivery/folder.hpp"
#include "loopcert/response/vectorized.hpp"
#include "workflow/posterior_law.hpp"

namespace loopcert {

// evaluation.json, controller-I.json and draws.npz; drawn controllers of an earlier run do not
// stay.
void add_evaluation_files(OutputFolder& folder, const nlohmann::json& record,
                          const std::vector<PosteriorDraw>& draws);

// vectorized.npz. A sparse matrix is four arrays: NAME_row, NAME_col, NAME_value, NAME_shape.
std::string format_vectorized(const Vectorized& form);

}  // namespace loopcert
