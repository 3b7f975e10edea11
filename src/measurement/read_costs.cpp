// One column of numbers, one for each episode.
#include "measurement/read_costs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/file.hpp"
#include "core/json.hpp"
#include "core/json_fields.hpp"
#include "core/number_from.hpp"
#include "core/text.hpp"
#include "data/csv.hpp"
#include "data/formats.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/data/layout.hpp"

namespace loopcert {
namespace {

const std::string usual_name = "cost";

Vector vector_of(const std::vector<double>& values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

// The only column, the one that was named, or "cost".
size_t chosen_column(const std::vector<std::string>& header, const std::string& column) {
  if (header.size() == 1 && column.empty()) return 0;
  const std::string& wanted = column.empty() ? usual_name : column;
  std::vector<std::string> names;
  for (const std::string& field : header) names.push_back(one_line(parse_column(field).name));
  std::vector<size_t> found;
  for (size_t i = 0; i < header.size(); ++i)
    if (parse_column(header[i]).name == wanted) found.push_back(i);
  if (found.size() == 1) return found[0];
  constexpr size_t most = 8;
  const bool more = names.size() > most;
  names.resize(std::min(names.size(), most));
  throw_input_error("row 1",
                    fmt::format("{} columns called '{}' among {}{}", found.size(), one_line(wanted),
                                join(names), more ? ", ..." : ""),
                    "one, or --column with another name");
}

Vector costs_of_array(const Array& array) {
  Index long_axes = 0;
  for (const Index size : array.shape) long_axes += size != 1;
  if (long_axes > 1)
    throw_input_error("shape", shape_text(array.shape), "one number for each episode");
  return vector_of(array.values);
}

}  // namespace

// A file without a name in its first row is a column of numbers from there on.
Vector parse_costs_csv(std::string_view text, const std::string& column) {
  std::string_view first = text.substr(0, text.find('\n'));
  while (!first.empty() && (first.back() == '\r' || first.back() == ' ')) first.remove_suffix(1);
  std::string named;
  if (number_from<double>(first)) {
    named = usual_name + "\n" + std::string(text);
    text = named;
  }
  CsvChoice choice;
  choice.numbers = {chosen_column(parse_csv_header(text), column)};
  return vector_of(parse_csv_rows(text, choice).values);
}

// A list of numbers, or an object with one under the name.
Vector parse_costs_json(std::string_view text, const std::string& column) {
  const std::string name = column.empty() ? usual_name : column;
  const nlohmann::json tree = parse_json(text);
  if (tree.is_array()) return vector_of(numbers_in(tree, "costs"));
  if (!tree.is_object()) throw_input_error("content", tree.type_name(), "a list of numbers");
  return vector_of(numbers_in(list_field(tree, name), name));
}

Vector read_costs(const std::filesystem::path& path, const std::string& column) {
  const std::string extension = lower_extension(path);
  if (extension == ".csv" || extension == ".txt" || extension == ".json") {
    const std::string text = read_file(path, largest_file);
    return at_place(path.string(), [&] {
      return extension == ".json" ? parse_costs_json(text, column) : parse_costs_csv(text, column);
    });
  }
  const std::string name = column.empty() ? usual_name : column;
  const ArrayFormat& format = format_of(path);
  if (format.read) {
    const Array array = format.read(path);
    return at_place(path.string(), [&] { return costs_of_array(array); });
  }
  const NamedArrays arrays = format.read_named(path, {name});
  return at_place(path.string(), [&] {
    const auto found = arrays.find(name);
    if (found == arrays.end())
      throw_input_error("variables", "no '" + one_line(name) + "'",
                        "it, or --column with another name");
    return at_place(name, [&] { return costs_of_array(found->second); });
  });
}

}  // namespace loopcert
