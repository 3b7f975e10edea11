// Controllers in files: controller.json (K, k, horizon, n_x, n_u, learned_from, provenance), and
// the same as arrays in .npz and .mat.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

#include "loopcert/controller/controller.hpp"
#include "loopcert/data/npz.hpp"

namespace loopcert {

nlohmann::json controller_to_json(const Controller& controller);
Controller controller_from_json(const nlohmann::json& tree);

NamedArrays controller_to_arrays(const Controller& controller);
Controller controller_from_arrays(const NamedArrays& arrays);
std::vector<std::string> controller_array_names();

// .json, .npz or .mat, by extension; anything else is taken for JSON.
Controller read_controller(const std::filesystem::path& path);
void write_controller(const std::filesystem::path& path, const Controller& controller);

}  // namespace loopcert
