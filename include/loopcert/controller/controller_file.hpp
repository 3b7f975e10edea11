// Controllers in files: controller.json (K, k, horizon, n_x, n_u, learned_from, provenance,
// input_limits), and the same as arrays in .npz and .mat.
#pragma once

#include <filesystem>

#include "loopcert/controller/controller.hpp"

namespace loopcert {

// .json, .npz or .mat, by extension; anything else is taken for JSON.
Controller read_controller(const std::filesystem::path& path);
void write_controller(const std::filesystem::path& path, const Controller& controller);

}  // namespace loopcert
