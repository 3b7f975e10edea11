#include "core/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "core/text.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

using Json = nlohmann::json;

constexpr size_t most_lists = 2'000'000;  // empty ones take 40 times their bytes

// One past the end of the string that opens at `start`; an unfinished one the parser will see.
size_t string_end(std::string_view text, size_t start) {
  for (size_t i = start + 1; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == '"' || text[i] == '\n')
      return i + 1;
  }
  return text.size();
}

// Before parsing: a tree that is too deep is not to be made, nor to be destroyed.
void check_nesting(std::string_view text) {
  int depth = 0;
  for (size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '[' || c == '{') ++depth;
    if ((c == ']' || c == '}') && depth > 0) --depth;
    if (depth > deepest_nesting)
      throw InputError(fmt::format("line {}: nested deeper than {} levels",
                                   std::count(text.begin(), text.begin() + i, '\n') + 1,
                                   deepest_nesting));
    i = c == '"' ? string_end(text, i) : i + 1;
  }
}

// "[json.exception.parse_error.101] parse error at line 2, column 5: what" without the start.
std::string reason(const Json::exception& error) {
  const std::string text = error.what();
  return one_line(text.substr(text.find("] ") + 2));
}

using Parser = nlohmann::detail::json_sax_dom_parser<Json>;

// nlohmann's parser of trees, and what it does not look at. (Its parser with a callback walks
// through a list again for every table that ends in it.)
class Guard : public Parser {
 public:
  using Parser::Parser;

  // A whole number beyond 64 bits comes here too.
  bool number_float(double value, const std::string& text) {
    if (text.find_first_of(".eE") == text.npos && fmt::format("{:.0f}", value) != text)
      throw_input_error("JSON", one_line(text), "a number that a double can represent");
    return Parser::number_float(value, text);
  }
  bool key(std::string& name) {
    if (!keys_.back().insert(name).second)
      throw InputError(one_line(name) + ": the key is given twice");
    return Parser::key(name);
  }
  bool start_object(size_t size) {
    keys_.emplace_back();
    return count() && Parser::start_object(size);
  }
  bool end_object() {
    keys_.pop_back();
    return Parser::end_object();
  }
  bool start_array(size_t size) { return count() && Parser::start_array(size); }

 private:
  bool count() {
    if (++lists_ > most_lists)
      throw_input_error("JSON", fmt::format("more than {} lists and tables", most_lists), "fewer");
    return true;
  }

  std::vector<std::set<std::string>> keys_;  // of the tables that are open
  size_t lists_ = 0;
};

}  // namespace

Json parse_json(std::string_view text) {
  check_nesting(text);
  try {
    Json tree;
    Guard guard(tree);
    Json::sax_parse(text, &guard);
    return tree;
  } catch (const Json::exception& error) {
    throw InputError("not valid JSON: " + reason(error));
  }
}

nlohmann::json rows_json(const Matrix& matrix) {
  nlohmann::json rows = nlohmann::json::array();
  for (Index i = 0; i < matrix.rows(); ++i) {
    const Vector row = matrix.row(i);
    rows.push_back(std::vector<double>(row.begin(), row.end()));
  }
  return rows;
}

}  // namespace loopcert
