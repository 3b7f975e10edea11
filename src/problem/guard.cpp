#include "guard.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/json.hpp"
#include "core/visible.hpp"
#include "loopcert/core/error.hpp"

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
      throw InputError(fmt::format("{}: nested deeper than {} levels", line_text(text, position),
                                   deepest_nesting));
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
                      "ASCII outside of comments and \"quoted\" texts, which are UTF-8");
}

// A string in double quotes with its UTF-8 as \u escapes, which toml++ reads without harm. Bytes
// that are no UTF-8, or come after a backslash, stay for check_ascii to refuse.
std::string escaped(std::string_view quoted) {
  std::string out;
  for (size_t i = 0; i < quoted.size();) {
    const Character character = character_at(quoted, i);
    const bool after_backslash = quoted[i] == '\\' && i + 1 < quoted.size();
    if (after_backslash) {
      out += quoted.substr(i, 2);
      i += 2;
      continue;
    }
    if (character.shown && !is_ascii(quoted[i]))
      out += fmt::format("\\U{:08x}", code_point(character.bytes));
    else
      out += character.bytes;
    i += character.bytes.size();
  }
  return out;
}

}  // namespace

std::string guard_toml(std::string_view text) {
  check_control_characters(text);
  std::string guarded;
  Depth depth{text};
  for (size_t i = 0; i < text.size();) {
    const std::string_view rest = text.substr(i);
    if (text[i] == '#') {
      for (; i < text.size() && text[i] != '\n'; ++i) guarded += is_ascii(text[i]) ? text[i] : '?';
    } else if (text[i] == '"' || text[i] == '\'') {
      const std::string_view triple = text[i] == '"' ? "\"\"\"" : "'''";
      const size_t end =
          string_end(text, i, rest.starts_with(triple) ? triple : triple.substr(0, 1));
      const std::string_view whole = text.substr(i, end - i);
      guarded += text[i] == '"' ? escaped(whole) : std::string(whole);
      i = end;
    } else {
      guarded += text[i];
      depth.see(i++);
    }
  }
  check_ascii(guarded);
  return guarded;
}

}  // namespace loopcert
