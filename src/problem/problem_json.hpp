// A problem as a JSON tree with the keys of the problem file.
#pragma once

#include <nlohmann/json.hpp>

#include "loopcert/problem/problem.hpp"

namespace loopcert {

// From an already parsed tree; also what Python hands over.
Problem problem_from_json(const nlohmann::json& tree);

// A tree that reads back as an equal problem.
nlohmann::json problem_to_json(const Problem& problem);

// The same problem with some options of its sections [response], [disturbance], [learning],
// [certificate] or its name replaced; null takes the default.
Problem replace_options(const Problem& problem, const nlohmann::json& patch);

}  // namespace loopcert
