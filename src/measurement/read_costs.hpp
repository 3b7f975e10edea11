// The texts of cost files.
#pragma once

#include <string>
#include <string_view>

#include "loopcert/measurement/costs.hpp"

namespace loopcert {

Vector parse_costs_csv(std::string_view text, const std::string& column = "");
Vector parse_costs_json(std::string_view text, const std::string& column = "");

}  // namespace loopcert
