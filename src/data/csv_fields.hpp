// One line of CSV and its fields.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace loopcert {

// Takes the next field off the front of `line`, without the blanks around it. A field in double
// quotes loses them; a comma inside quotes is not supported and separates.
std::string_view take_field(std::string_view& line);

std::vector<std::string_view> split_fields(std::string_view line);

// The whole field as one number (NaN and infinities included, for the caller to judge), or nothing.
// A number too large or too small for a double is no number.
std::optional<double> parse_number(std::string_view field);

}  // namespace loopcert
