// A controller and a problem of the same sizes.
#pragma once

#include <string>

#include "loopcert/controller/controller.hpp"

namespace loopcert {

// Throws InputError "name: found horizon …, expected … as in PROBLEM".
void check_fits(const std::string& name, const Controller& controller, const Sizes& expected,
                const std::string& problem_name);

}  // namespace loopcert
