// Traces of recordings in controller.json.
#pragma once

#include <nlohmann/json.hpp>

#include "loopcert/data/traces.hpp"

namespace loopcert {

nlohmann::json recordings_to_json(const std::map<std::string, Traces>& recordings);
// Throws InputError, with the place inside `recordings`.
std::map<std::string, Traces> recordings_from_json(const nlohmann::json& tree);

// Throws InputError when sizes, bits or counts do not fit together. `place`: as messages call it.
void check_traces(const std::string& place, const Traces& traces);

}  // namespace loopcert
