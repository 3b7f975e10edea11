#include "guard.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "loopcert/core/error.hpp"
#include "loopcert/core/json.hpp"

namespace loopcert {
namespace {

bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

std::string byte_text(char c) {
  return fmt::format("byte 0x{:02x}", static_cast<unsigned char>(c));
}

// "line 3" of the byte at `position`.
std::string line_text(std::string_view text, size_t position) {
  const std::string_view before = text.substr(0, position);
  return fmt::format("line {}", std::count(before.begin(), before.end(), '\n') + 1);
}

// Counts brackets, and the dots of one key.
struct Depth {
  std::string_view text;
  int brackets = 0;
  int dots = 0;

  void see(size_t position) {
    const char c = text[position];
    if (c == '[' || c == '{') ++brackets;
    if ((c == ']' || c == '}') && brackets > 0) --brackets;
    dots = c == '.' ? dots + 1 : (std::string_view("=,\n[]{}").find(c) != text.npos ? 0 : dots);
    if (std::max(brackets, dots) > deepest_nesting)
      throw_input_error(line_text(text, position),
                        fmt::format("nesting deeper than {}", deepest_nesting), "a flat file");
  }
};

// One past the end of the string that opens at `start` with the quotes `quote` ('"', "'" or three
// of them). An unfinished one ends with its line, or with the text: the parser will say so.
size_t string_end(std::string_view text, size_t start, std::string_view quote) {
  const bool escapes = quote[0] == '"';
  size_t i = start + quote.size();
  for (; i < text.size(); ++i) {
    if (escapes && text[i] == '\\') {
      ++i;
    } else if (quote.size() == 1 && text[i] == '\n') {
      return i;
    } else if (text.substr(i).starts_with(quote)) {
      i += quote.size();
      // """a""""" ends with two quotes that belong to the string.
      for (int extra = 0; quote.size() == 3 && extra < 2; ++extra)
        if (i < text.size() && text[i] == quote[0]) ++i;
      return i;
    }
  }
  return text.size();
}

void check_control_characters(std::string_view text) {
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool line_end = c == '\n' || (c == '\r' && text.substr(i + 1).starts_with('\n'));
    if ((c >= 0 && c < 0x20 && c != '\t' && !line_end) || c == 0x7f)
      throw_input_error(line_text(text, i), byte_text(c), "text without control characters");
  }
}

void check_ascii(std::string_view text) {
  const auto at = std::find_if_not(text.begin(), text.end(), is_ascii);
  if (at != text.end())
    throw_input_error(line_text(text, static_cast<size_t>(at - text.begin())), byte_text(*at),
                      "ASCII (use \\u escapes, or a JSON problem file)");
}

}  // namespace

std::string guard_toml(std::string_view text) {
  check_control_characters(text);
  std::string guarded(text);
  Depth depth{text};
  for (size_t i = 0; i < text.size();) {
    const std::string_view rest = text.substr(i);
    if (text[i] == '#') {
      for (; i < text.size() && text[i] != '\n'; ++i)
        if (!is_ascii(text[i])) guarded[i] = '?';
    } else if (text[i] == '"' || text[i] == '\'') {
      const std::string_view triple = text[i] == '"' ? "\"\"\"" : "'''";
      i = string_end(text, i, rest.starts_with(triple) ? triple : triple.substr(0, 1));
    } else {
      depth.see(i++);
    }
  }
  check_ascii(guarded);
  return guarded;
}

}  // namespace loopcert
