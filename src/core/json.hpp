// JSON from a stranger's file.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "loopcert/core/types.hpp"

namespace loopcert {

// Of JSON and TOML: those who walk a tree recurse.
constexpr int deepest_nesting = 32;

// Throws InputError on nesting deeper than that or more than two million lists, on a key given
// twice in one object (readers would differ in which they take), on a whole number beyond 64 bits
// that no double holds, and on what is no JSON, with line and column. Time and memory grow with the
// text.
nlohmann::json parse_json(std::string_view text);

// A list of rows.
nlohmann::json rows_json(const Matrix& matrix);

}  // namespace loopcert
