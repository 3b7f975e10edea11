// What has to be true of a TOML text before a parser sees it: parsers recurse, and toml++ 3.3 does
// not survive every byte.
#pragma once

#include <string>
#include <string_view>

namespace loopcert {

// Refuses brackets, and dots in keys, that nest deeper than deepest_nesting outside strings;
// control characters; and bytes that are not ASCII. Comments may hold any text: what is not ASCII
// there comes back as '?'. Texts in double quotes may hold UTF-8, which comes back as \U escapes.
std::string guard_toml(std::string_view text);

}  // namespace loopcert
