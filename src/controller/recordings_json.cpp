#include "recordings_json.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/json_fields.hpp"
#include "core/text.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

using nlohmann::json;

Traces traces_from_json(const json& tree) {
  if (!tree.is_object()) throw_input_error("content", tree.type_name(), "an object");
  Traces traces;
  traces.first = numbers_in(field(tree, "first"), "first");
  traces.later = numbers_in(field(tree, "later"), "later");
  traces.lost = whole_numbers_in(field(tree, "lost"), "lost");
  traces.most = whole_numbers_in(field(tree, "most"), "most");
  check_traces("", traces);
  for (const json& row : list_field(tree, "rows"))
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
