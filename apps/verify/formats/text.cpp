#include "formats/files.hpp"

#include <openssl/sha.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>
#include <fstream>

namespace verify {

void bad(const std::string& place, const std::string& found, const std::string& expected) {
  throw BadInput{place + ": found " + found + ", expected " + expected};
}

std::string printable(const std::string& text) {
  std::string line;
  for (const char c : text) {
    if (line.size() > 990) return line + "...";
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= ' ' && byte < 0x7f) {
      line += c;
      continue;
    }
    line += "\\x";
    line += "0123456789abcdef"[byte >> 4];
    line += "0123456789abcdef"[byte & 15];
  }
  return line;
}

std::string word(const std::string& text) {
  size_t end = 0;
  for (; end < std::min<size_t>(text.size(), 28); ++end) {
    const char c = text[end];
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       std::string_view("_.+-:'<").find(c) != std::string_view::npos;
    if (!plain && !(c == ' ' && end > 0 && text[end - 1] != ' ')) break;
  }
  return "'" + text.substr(0, end) + (end < text.size() ? "...'" : "'");
}

std::optional<long> whole_number(std::string_view text) {
  long number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && rest == end ? std::optional(number) : std::nullopt;
}

// As many bytes as the file says that it has: one that has none and goes on, as some of /proc do,
// is empty.
std::string read_bytes(const std::filesystem::path& path) {
  constexpr std::uintmax_t limit = std::uintmax_t{1} << 30;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) bad("file", "none", "a file");
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (size > limit || error) bad("file", "more than 1 GiB", "less");
  std::string bytes(size, '\0');
  std::ifstream in(path, std::ios::binary);
  if (size > 0 && !in.read(bytes.data(), static_cast<std::streamsize>(size)))
    bad("file", "a read error", "bytes");
  return bytes;
}

std::string little_endian(const Table& table) {
  std::string bytes;
  bytes.reserve(table.values.size() * 8);
  for (const double value : table.values)
    for (int shift = 0; shift < 64; shift += 8)
      bytes += static_cast<char>(std::bit_cast<std::uint64_t>(value) >> shift & 0xff);
  return bytes;
}

std::string sha256(const std::string& bytes) {
  unsigned char digest[SHA256_DIGEST_LENGTH];
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest);
  std::string text;
  for (const unsigned char byte : digest) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

}  // namespace verify
