// Pieces of a file as messages show them.
#pragma once

#include <string>
#include <string_view>

namespace loopcert {

// 'text' in quotes, on one line, at most some 40 characters, bytes that do not print as \xNN.
std::string excerpt(std::string_view text);

}  // namespace loopcert
