// Costs of episodes from files: one column of numbers.
#pragma once

#include <filesystem>
#include <string>

#include "loopcert/core/types.hpp"

namespace loopcert {

// .csv, .txt (one number a line, with or without a name in the first), .json, .npy, or a variable
// of .npz, .mat, .h5. `column` names the column or variable; empty: the only one, or "cost".
// Throws InputError.
Vector read_costs(const std::filesystem::path& path, const std::string& column = "");

}  // namespace loopcert
