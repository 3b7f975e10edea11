// What controller files hold, as a JSON tree and as arrays.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "data/npz.hpp"
#include "loopcert/controller/controller.hpp"

namespace loopcert {

nlohmann::json controller_to_json(const Controller& controller);
Controller controller_from_json(const nlohmann::json& tree);

NamedArrays controller_to_arrays(const Controller& controller);
Controller controller_from_arrays(const NamedArrays& arrays);
std::vector<std::string> controller_array_names();

}  // namespace loopcert
