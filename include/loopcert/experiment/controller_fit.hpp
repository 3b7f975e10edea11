// A controller and a problem of the same sizes.
#pragma once

#include <string>

#include "loopcert/controller/controller.hpp"
#include "loopcert/problem/problem.hpp"

namespace loopcert {

// Throws InputError "path: found horizon …, expected … as in PROBLEM".
void check_fits(const std::string& path, const Controller& controller, const Problem& problem,
                const std::string& problem_name);

}  // namespace loopcert
