#include "excerpt.hpp"

#include <fmt/format.h>

namespace loopcert {

std::string excerpt(std::string_view text) {
  constexpr size_t longest = 40;
  std::string shown = "'";
  for (const char c : text.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f)
      shown += c;
    else
      shown += fmt::format("\\x{:02x}", byte);
  }
  return shown + (text.size() > longest ? "...'" : "'");
}

}  // namespace loopcert
