#include "excerpt.hpp"

#include <fmt/format.h>

#include "core/visible.hpp"

namespace loopcert {

std::string excerpt(std::string_view text) {
  constexpr size_t longest = 40;
  std::string shown = "'";
  size_t at = 0;
  while (at < text.size() && at < longest) {
    const Character character = character_at(text, at);
    if (character.shown)
      shown += character.bytes;
    else
      for (const char c : character.bytes)
        shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    at += character.bytes.size();
  }
  return shown + (text.size() > at ? "...'" : "'");
}

}  // namespace loopcert
