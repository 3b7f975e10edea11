#include "npy/npy_header.hpp"

#include <charconv>
#include <set>

#include "excerpt.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

// Reads the dictionary from left to right; `rest` is what has not been read.
struct Reader {
  std::string_view rest;

  [[noreturn]] void fail(const std::string& expected) const {
    throw_input_error("npy header", rest.empty() ? "its end" : excerpt(rest), expected);
  }

  void skip_blanks() {
    const size_t first = rest.find_first_not_of(" \t\n");
    rest.remove_prefix(first == rest.npos ? rest.size() : first);
  }

  bool take(std::string_view token) {
    skip_blanks();
    if (!rest.starts_with(token)) return false;
    rest.remove_prefix(token.size());
    return true;
  }

  void expect(std::string_view token) {
    if (!take(token)) fail("'" + std::string(token) + "'");
  }

  std::string text(const std::string& expected) {
    skip_blanks();
    if (!rest.starts_with('\'') && !rest.starts_with('"')) fail(expected);
    const size_t end = rest.find(rest[0], 1);
    if (end == rest.npos || rest.substr(0, end).find('\\') != rest.npos) fail(expected);
    const std::string value(rest.substr(1, end - 1));
    rest.remove_prefix(end + 1);
    return value;
  }

  bool boolean() {
    if (take("True")) return true;
    if (take("False")) return false;
    fail("True or False");
  }

  Index count() {
    skip_blanks();
    Index value = 0;
    const auto [stopped, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    if (error != std::errc() || value < 0) fail("an axis length");
    rest.remove_prefix(static_cast<size_t>(stopped - rest.data()));
    return value;
  }

  std::vector<Index> tuple() {
    std::vector<Index> values;
    expect("(");
    while (!take(")")) {
      values.push_back(count());
      if (values.size() > 32) fail("at most 32 axes");
      if (take(")")) break;
      expect(",");
    }
    return values;
  }
};

}  // namespace

NpyHeader parse_npy_header(std::string_view text) {
  NpyHeader header;
  std::set<std::string> keys;
  Reader reader{text};
  reader.expect("{");
  while (!reader.take("}")) {
    const std::string key = reader.text("a key in quotes");
    if (!keys.insert(key).second)
      throw_input_error("npy header", "the key " + key + " twice", "once");
    reader.expect(":");
    if (key == "descr")
      header.descr = reader.text("one number type (no structured type)");
    else if (key == "fortran_order")
      header.fortran_order = reader.boolean();
    else if (key == "shape")
      header.shape = reader.tuple();
    else
      throw_input_error("npy header", "key " + excerpt(key), "descr, fortran_order and shape only");
    if (reader.take("}")) break;
    reader.expect(",");
  }
  reader.skip_blanks();
  if (!reader.rest.empty()) reader.fail("nothing after the dictionary");
  for (const char* key : {"descr", "fortran_order", "shape"})
    if (!keys.contains(key)) throw_input_error("npy header", "no key " + std::string(key), "one");
  return header;
}

}  // namespace loopcert
