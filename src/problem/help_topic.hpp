// Which topic of the quick reference explains a message about input: the program and the Python
// package name it, "(help P3)".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace loopcert {

// "cost": "P3". The section is one that a problem file may have, or "" for its own keys.
std::string section_code(std::string_view section);

// Nothing where no topic helps.
std::optional<std::string> help_topic(std::string_view message);

}  // namespace loopcert
