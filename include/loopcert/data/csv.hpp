// CSV text: one header row of names, then rows of finite numbers, fields separated by ','.
// Rows and columns in messages count from 1 as a spreadsheet shows them; the header is row 1.
#pragma once

#include <string>
#include <string_view>

#include "loopcert/data/array.hpp"

namespace loopcert {

// Strict: nothing is skipped, filled in or guessed. Throws InputError "row 3, column 2 (w0_1): …".
Array parse_csv(std::string_view text);

// Two axes. Numbers are the shortest texts that read back as the same doubles. Without names the
// columns are called c0, c1, …
std::string format_csv(const Array& array);

}  // namespace loopcert
