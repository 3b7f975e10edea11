// [data]: how log files name things.
#include <fmt/format.h>

#include <algorithm>

#include "arrays.hpp"
#include "core/check.hpp"
#include "core/visible.hpp"
#include "loopcert/core/error.hpp"
#include "sections.hpp"

namespace loopcert {
namespace {

std::string name_of(const Node& node) {
  const std::string name = text(node);
  if (name.empty() || visible_line(name) != name) refuse(node, "a name that can be printed");
  return name;
}

// "name [unit]", or { column = "name [unit]", factor = number, zero = number }.
ColumnSpec column_of(const Node& node) {
  if (!node.value->is_object()) return parse_column(name_of(node));
  const Table table(node, {"column", "factor", "zero"});
  ColumnSpec column = parse_column(name_of(table.need("column", "the name of a column")));
  if (const auto factor = table.find("factor")) {
    column.factor = number(*factor);
    if (column.factor == 0) refuse(*factor, "a number other than 0");
  }
  if (const auto zero = table.find("zero")) column.zero = number(*zero);
  return column;
}

std::vector<ColumnSpec> columns_of(const Table& data, const std::string& key, Index count,
                                   const std::string& meaning) {
  const auto node = data.find(key);
  if (!node) return {};
  std::vector<ColumnSpec> columns;
  for (const Node& item : items(*node, fmt::format("a list of {} columns", count)))
    columns.push_back(column_of(item));
  if (static_cast<Index>(columns.size()) != count)
    throw_input_error(node->path, fmt::format("a list of {}", columns.size()),
                      fmt::format("{} = {}", count, meaning));
  for (size_t i = 0; i < columns.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (columns[i].name == columns[j].name)
        throw InputError(fmt::format("{}[{}]: {} occurs twice", node->path, i, columns[i].name));
  return columns;
}

ColumnSpec one_column(const Table& data, const std::string& key) {
  const auto node = data.find(key);
  return node ? column_of(*node) : ColumnSpec{};
}

std::vector<Axis> axes_of(const Table& data) {
  const auto node = data.find("axes");
  if (!node) return {};
  const std::string expected =
      "episode, step and component in the order of the array, or step and component alone";
  std::vector<Axis> axes;
  for (const Node& item : items(*node, expected)) {
    const auto& names = axis_names();
    const std::string word = choice(item, names);
    axes.push_back(static_cast<Axis>(std::find(names.begin(), names.end(), word) - names.begin()));
  }
  std::vector<Axis> sorted = axes;
  std::sort(sorted.begin(), sorted.end());
  if (sorted != std::vector{Axis::episode, Axis::step, Axis::component} &&
      sorted != std::vector{Axis::step, Axis::component})
    refuse(*node, expected);
  return axes;
}

std::string pattern_of(const Table& data, const std::string& usual) {
  const auto node = data.find("pattern");
  if (!node) return usual;
  const std::string pattern = name_of(*node);
  if (pattern.find("{name}") == pattern.npos || pattern.find("{step}") == pattern.npos)
    refuse(*node, "a text with {name} and {step} in it");
  return pattern;
}

// Keys that only make sense together.
void check_clock(const Table& data, const DataLayout& layout) {
  for (const char* key : {"episode", "step", "time", "period"})
    if (!layout.long_rows && data.find(key))
      throw InputError(data.find(key)->path +
                       ": only for files with one row per step: data.layout = \"long\"");
  if (layout.long_rows && data.find("step").has_value() == data.find("time").has_value())
    throw InputError(data.find("step")
                         ? "data: step and time are both given: one of them orders the rows"
                         : "data: neither step nor time is given: one of them orders the rows");
  if (data.find("time").has_value() != data.find("period").has_value())
    throw InputError(data.find("time") ? "data: time requires period"
                                       : "data: period requires time");
}

void decode_variables(const Table& data, DataLayout& layout) {
  const char* measured = layout.symbol == "y" ? "y" : "x";
  const Table variables = data.table("variables", {measured, "u", "w"});
  for (const auto& [key, name] :
       {std::pair{measured, &layout.x_name}, {"u", &layout.u_name}, {"w", &layout.w_name}})
    if (const auto node = variables.find(key)) *name = name_of(*node);
}

}  // namespace

DataLayout decode_data(const Table& root, const Plant& plant) {
  const Sizes sizes = plant.sizes();
  const char* measured = plant.has_state() ? "states" : "outputs";
  const Table data = root.table(
      "data", {measured, "inputs", "disturbances", "layout", "pattern", "episode", "step", "time",
               "period", "axes", "variables", "last_input", "longer", "gap", "repeated"});
  DataLayout layout = plant.has_state() ? DataLayout() : DataLayout::of_outputs();
  layout.states = columns_of(data, measured, sizes.n_x, plant.has_state() ? "n_x" : "n_y");
  layout.inputs = columns_of(data, "inputs", sizes.n_u, "n_u");
  layout.disturbances = columns_of(data, "disturbances", sizes.n_w, "n_x");
  if (const auto node = data.find("layout"))
    layout.long_rows = choice(*node, {"wide", "long"}) == "long";
  layout.pattern = pattern_of(data, layout.pattern);
  layout.episode = one_column(data, "episode");
  layout.step = one_column(data, "step");
  layout.time = one_column(data, "time");
  if (const auto node = data.find("period")) layout.period = positive_number(*node);
  check_clock(data, layout);
  layout.axes = axes_of(data);
  decode_variables(data, layout);
  if (const auto node = data.find("last_input")) layout.last_input = boolean(*node);
  if (const auto node = data.find("longer")) {
    const auto& names = longer_names();
    layout.longer = static_cast<Longer>(
        std::find(names.begin(), names.end(), choice(*node, names)) - names.begin());
  }
  if (const auto node = data.find("gap")) {
    layout.gap = integer(*node);
    check_at_least(node->path, layout.gap, 0);
    if (layout.longer != Longer::windows)
      throw InputError(node->path + ": only data.longer = \"windows\" has a gap");
  }
  if (const auto node = data.find("repeated"))
    layout.keep_repeated = choice(*node, {"refuse", "keep"}) == "keep";
  return layout;
}

}  // namespace loopcert
