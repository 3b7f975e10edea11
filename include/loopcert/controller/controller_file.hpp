// controller.json: K, k, horizon, n_x, n_u, provenance.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

#include "loopcert/controller/controller.hpp"

namespace loopcert {

nlohmann::json controller_to_json(const Controller& controller);
Controller controller_from_json(const nlohmann::json& tree);

Controller read_controller(const std::filesystem::path& path);
void write_controller(const std::filesystem::path& path, const Controller& controller);

}  // namespace loopcert
