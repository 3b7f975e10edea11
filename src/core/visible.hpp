// Text from anywhere, as a terminal or a page may show it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace loopcert {

struct Character {
  std::string_view bytes;
  // False for what is obeyed instead of shown: control characters, marks that turn the direction of
  // writing, line separators; and for bytes that are no UTF-8.
  bool shown;
};

// The character of `text` that begins at `at`; one byte where that is no UTF-8.
Character character_at(std::string_view text, size_t at);

// The code point of such a character.
std::uint32_t code_point(std::string_view bytes);

// What is not shown becomes \xNN, byte by byte. Line breaks and tabs stay.
std::string visible_text(std::string_view text);

// The same for one line: line breaks and tabs become \x0a and \x09.
std::string visible_line(std::string_view text);

}  // namespace loopcert
