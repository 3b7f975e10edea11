// A number that is written as text.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace loopcert {

// The whole text is one number of this type, or there is none: no blanks, no plus sign, nothing
// after it, and for unsigned types no minus sign.
template <class Number>
std::optional<Number> number_from(std::string_view text) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stopped != end) return std::nullopt;
  return value;
}

}  // namespace loopcert
