#include "bytes.hpp"

#include <fmt/format.h>

#include "loopcert/core/error.hpp"

namespace loopcert {

std::string_view take_bytes(std::string_view& bytes, std::uint64_t count, const std::string& what) {
  if (bytes.size() < count)
    throw InputError(fmt::format("{}: the file is truncated: {} bytes left where {} are needed",
                                 what, bytes.size(), count));
  const std::string_view taken = bytes.substr(0, count);
  bytes.remove_prefix(count);
  return taken;
}

std::uint64_t take_number(std::string_view& bytes, int count, const std::string& what) {
  const std::string_view digits = take_bytes(bytes, static_cast<std::uint64_t>(count), what);
  std::uint64_t value = 0;
  for (size_t i = digits.size(); i-- > 0;)
    value = 256 * value + static_cast<unsigned char>(digits[i]);
  return value;
}

void append_number(std::string& bytes, int count, std::uint64_t value) {
  for (int i = 0; i < count; ++i) bytes += static_cast<char>(value >> (8 * i) & 255);
}

}  // namespace loopcert
