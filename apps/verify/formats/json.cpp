// JSON in time and memory that grow with the file, and numbers that a double holds.
#include <charconv>
#include <set>

#include "formats/files.hpp"

namespace verify {
namespace {

constexpr size_t most_bytes = size_t{128} << 20, most_values = 5'000'000, most_lists = 1'000'000;

// The digits of a decimal without zeros at either end, and the exponent e of 0.digits * 10^e.
std::pair<std::string, long> decimal(const std::string& text) {
  std::string digits;
  long exponent = 0;
  bool point = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == 'e' || c == 'E') {
      const std::optional<long> shift = whole_number(text.substr(i + (text[i + 1] == '+' ? 2 : 1)));
      if (!shift) return {"too long", 0};
      exponent += *shift;
      break;
    }
    if (c == '.') point = true;
    if (c < '0' || c > '9') continue;
    if (!digits.empty() || c != '0') {
      digits += c;
      exponent += point ? 0 : 1;
    } else if (point) {
      --exponent;
    }
  }
  while (digits.ends_with('0')) digits.pop_back();
  return {digits, digits.empty() ? 0 : exponent};
}

// A decimal stands for the double nearest to it only if programs write that double so: with the
// fewest digits. One that says more than the double holds would be read in two ways.
void require_double(double value, const std::string& text) {
  if (json(value).dump() == text) return;  // letter by letter
  char shortest[40];
  const auto end = std::to_chars(shortest, shortest + sizeof shortest, value);
  if (decimal(text) != decimal(std::string(shortest, end.ptr)) &&
      decimal(text) != decimal(json(value).dump()))
    bad("number", word(text), "one as a double is written: " + std::string(shortest, end.ptr));
}

using Parser = nlohmann::detail::json_sax_dom_parser<json>;

// The library's own parser of trees, and what it does not look at.
class Guard : public Parser {
 public:
  using Parser::Parser;

  bool number_integer(json::number_integer_t value) {
    const auto near = static_cast<double>(value);
    if (!(near >= -0x1p63) || static_cast<json::number_integer_t>(near) != value)
      require_double(near, std::to_string(value));
    return count() && Parser::number_integer(value);
  }
  bool number_unsigned(json::number_unsigned_t value) {
    const auto near = static_cast<double>(value);
    if (!(near < 0x1p64) || static_cast<json::number_unsigned_t>(near) != value)
      require_double(near, std::to_string(value));
    return count() && Parser::number_unsigned(value);
  }
  bool number_float(double value, const std::string& text) {
    require_double(value, text);
    return count() && Parser::number_float(value, text);
  }
  bool string(std::string& value) { return count() && Parser::string(value); }
  bool key(std::string& name) {
    if (!keys_.back().insert(name).second) bad(word(name), "this key twice", "once");
    return count() && Parser::key(name);
  }
  bool start_object(size_t size) { return open() && Parser::start_object(size); }
  bool end_object() { return close() && Parser::end_object(); }
  bool start_array(size_t size) { return open() && Parser::start_array(size); }
  bool end_array() { return close() && Parser::end_array(); }

 private:
  bool count() {
    if (++values_ > most_values) throw Undecided{"JSON: more than 5,000,000 values"};
    return true;
  }
  bool open() {
    keys_.emplace_back();
    if (keys_.size() > 32) bad("JSON", "deep nesting", "at most 32 levels");
    if (++lists_ > most_lists) throw Undecided{"JSON: more than 1,000,000 lists and tables"};
    return true;
  }
  bool close() {
    keys_.pop_back();
    return true;
  }

  std::vector<std::set<std::string>> keys_;  // of the tables that are open; a list has none
  size_t values_ = 0, lists_ = 0;
};

}  // namespace

json parse_json(const std::string& bytes) {
  if (bytes.size() > most_bytes) throw Undecided{"JSON: more than 128 MiB"};
  json tree;
  Guard guard(tree);
  try {
    if (json::sax_parse(bytes, &guard)) return tree;
  } catch (const json::exception&) {
  }
  bad("content", "no valid JSON", "a JSON file of loopcert");
}

}  // namespace verify
