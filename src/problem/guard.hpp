// What has to be true of a text before a parser sees it: parsers recurse, and toml++ 3.3 does not
// survive every byte.
#pragma once

#include <string>
#include <string_view>

namespace loopcert {

constexpr int deepest_nesting = 32;

// Refuses brackets nested deeper than that, outside strings.
void guard_json(std::string_view text);

// The same for TOML, where dots in keys nest too; and refuses control characters and bytes that are
// not ASCII. Comments may hold any text: what is not ASCII there comes back as '?'.
std::string guard_toml(std::string_view text);

// "line 3" of the byte at `position`.
std::string line_text(std::string_view text, size_t position);

}  // namespace loopcert
