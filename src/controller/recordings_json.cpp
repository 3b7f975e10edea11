#include "recordings_json.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/json.hpp"
#include "core/text.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

using nlohmann::json;

template <class Number>
std::vector<Number> list_of(const json& tree, const std::string& key) {
  const auto found = tree.find(key);
  if (found == tree.end() || !found->is_array())
    throw_input_error(key, found == tree.end() ? "nothing" : found->type_name(),
                      "a list of numbers");
  std::vector<Number> numbers;
  for (const json& entry : *found) {
    if (std::is_integral_v<Number> ? !entry.is_number_integer() : !entry.is_number())
      throw_input_error(fmt::format("{}[{}]", key, numbers.size()), one_line(entry.dump()),
                        "a number");
    numbers.push_back(entry.get<Number>());
  }
  return numbers;
}

Traces traces_from_json(const json& tree) {
  if (!tree.is_object()) throw_input_error("content", tree.type_name(), "an object");
  Traces traces;
  traces.first = list_of<double>(tree, "first");
  traces.later = list_of<double>(tree, "later");
  traces.lost = list_of<int>(tree, "lost");
  traces.most = list_of<int>(tree, "most");
  check_traces("", traces);
  const auto rows = tree.find("rows");
  if (rows == tree.end() || !rows->is_array()) throw_input_error("rows", "none", "a list of texts");
  for (const json& row : *rows)
    append_trace(traces, row.is_string() ? row.get<std::string>() : row.dump());
  return traces;
}

}  // namespace

json recordings_to_json(const std::map<std::string, Traces>& recordings) {
  json tree = json::object();
  for (const auto& [of, traces] : recordings) {
    json rows = json::array();
    for (Index i = 0; i < traces.n(); ++i) rows.push_back(trace_text(traces, i));
    tree[of] = {{"first", traces.first},
                {"later", traces.later},
                {"lost", traces.lost},
                {"most", traces.most},
                {"rows", rows}};
  }
  return tree;
}

std::map<std::string, Traces> recordings_from_json(const json& tree) {
  if (!tree.is_object()) throw_input_error("recordings", tree.type_name(), "an object");
  std::map<std::string, Traces> recordings;
  for (const auto& [of, value] : tree.items()) {
    if (of != "disturbances" && of != "logs")
      throw_input_error("recordings", "'" + one_line(of) + "'", "disturbances or logs");
    recordings[of] =
        at_place("recordings." + of, [&value = value] { return traces_from_json(value); });
  }
  return recordings;
}

void check_traces(const std::string& place, const Traces& traces) {
  for (const std::vector<double>* sizes : {&traces.first, &traces.later})
    for (const double size : *sizes)
      if (!(size > 0) || !std::isfinite(size))
        throw_input_error(place + "sizes", number_text(size), "a positive number");
  for (const std::vector<int>* bits : {&traces.lost, &traces.most}) {
    if (bits->size() != traces.lost.size() || bits->size() < 2)
      throw_input_error(place + "most", fmt::format("{} numbers", bits->size()),
                        "one for each step, two or more, as in 'lost'");
    for (const int count : *bits)
      if (count < 0 || count > 64)
        throw_input_error(place + "bits", std::to_string(count), "0 to 64");
  }
  if (traces.first.empty() || traces.later.size() < traces.first.size())
    throw_input_error(place + "later", fmt::format("{} numbers", traces.later.size()),
                      "as many as in 'first', or more");
}

}  // namespace loopcert
