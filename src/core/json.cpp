#include "loopcert/core/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "loopcert/core/error.hpp"
#include "loopcert/core/text.hpp"

namespace loopcert {
namespace {

using Json = nlohmann::json;

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

struct RepeatedKeys {
  std::vector<std::set<std::string>> open;

  bool operator()(int, Json::parse_event_t event, Json& value) {
    if (event == Json::parse_event_t::object_start) open.emplace_back();
    if (event == Json::parse_event_t::object_end) open.pop_back();
    if (event == Json::parse_event_t::key && !open.back().insert(value.get<std::string>()).second)
      throw InputError(one_line(value.get<std::string>()) + ": the key is given twice");
    return true;
  }
};

}  // namespace

Json parse_json(std::string_view text) {
  check_nesting(text);
  try {
    return Json::parse(text, RepeatedKeys{});
  } catch (const Json::exception& error) {
    throw InputError("no valid JSON: " + reason(error));
  }
}

}  // namespace loopcert
