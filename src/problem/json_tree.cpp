#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "guard.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/problem/fields.hpp"
#include "loopcert/problem/tree_file.hpp"

namespace loopcert {
namespace {

using Json = nlohmann::json;

// "[json.exception.parse_error.101] parse error at line 2, column 5: what" without the start.
std::string reason(const Json::exception& error) {
  const std::string text = error.what();
  const size_t end = text.find("] ");
  return one_line(end == text.npos ? text : text.substr(end + 2));
}

// JSON leaves the meaning of a key given twice open; a problem file does not.
struct RepeatedKeys {
  std::vector<std::set<std::string>> open;

  bool operator()(int, Json::parse_event_t event, Json& value) {
    if (event == Json::parse_event_t::object_start) open.emplace_back();
    if (event == Json::parse_event_t::object_end) open.pop_back();
    if (event == Json::parse_event_t::key && !open.back().insert(value.get<std::string>()).second)
      throw_input_error(one_line(value.get<std::string>()), "a key given twice", "once");
    return true;
  }
};

}  // namespace

Json tree_from_json(std::string_view text) {
  guard_json(text);
  try {
    return Json::parse(text, RepeatedKeys{});
  } catch (const Json::exception& error) {
    throw_input_error("JSON", reason(error), "valid JSON");
  }
}

}  // namespace loopcert
