#include "core/visible.hpp"

#include <fmt/format.h>

namespace loopcert {
namespace {

size_t length_of(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first < 0xE0) return 2;
  if (first >= 0xE0 && first < 0xF0) return 3;
  return first >= 0xF0 && first < 0xF5 ? 4 : 0;
}

// The code point of a whole sequence, or nothing that anyone may show.
std::uint32_t code_of(std::string_view bytes) {
  constexpr std::uint32_t none = 0, smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const size_t length = bytes.size();
  std::uint32_t code = static_cast<unsigned char>(bytes[0]);
  if (length > 1) code &= 0xFFU >> (length + 1);
  for (const char c : bytes.substr(1)) {
    if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) return none;
    code = code << 6 | (static_cast<unsigned char>(c) & 0x3F);
  }
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  return code < smallest[length] || surrogate || code > 0x10FFFF ? none : code;
}

bool is_shown(std::uint32_t code) {
  if (code < 0x20 || (code >= 0x7F && code < 0xA0)) return false;
  if (code == 0x2028 || code == 0x2029) return false;
  return !(code >= 0x202A && code <= 0x202E) && !(code >= 0x2066 && code <= 0x2069);
}

std::string visible(std::string_view text, std::string_view kept) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    const Character character = character_at(text, i);
    if (character.shown || kept.find(text[i]) != kept.npos)
      out += character.bytes;
    else
      for (const char c : character.bytes)
        out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    i += character.bytes.size();
  }
  return out;
}

}  // namespace

Character character_at(std::string_view text, size_t at) {
  const size_t length = length_of(static_cast<unsigned char>(text[at]));
  if (length == 0 || at + length > text.size()) return {text.substr(at, 1), false};
  const std::string_view bytes = text.substr(at, length);
  const std::uint32_t code = code_of(bytes);
  if (code == 0 && length > 1) return {text.substr(at, 1), false};
  return {bytes, is_shown(code)};
}

std::uint32_t code_point(std::string_view bytes) { return code_of(bytes); }

std::string visible_text(std::string_view text) { return visible(text, "\n\t"); }

std::string visible_line(std::string_view text) { return visible(text, ""); }

}  // namespace loopcert
