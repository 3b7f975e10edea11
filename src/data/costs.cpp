// One column of numbers, one for each episode.
#include "data/costs.hpp"

#include <nlohmann/json.hpp>

#include "core/file.hpp"
#include "core/json.hpp"
#include "core/json_fields.hpp"
#include "core/text.hpp"
#include "csv/csv_columns.hpp"
#include "csv/csv_fields.hpp"
#include "data/csv.hpp"
#include "data/formats.hpp"
#include "excerpt.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

const std::string usual_name = "cost";

Vector vector_of(const std::vector<double>& values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

// The only column, the one that was named, or "cost".
size_t chosen_column(const std::vector<std::string>& header, const std::string& column) {
  if (!column.empty()) return need_column(header, parse_column(column), "column");
  if (header.size() == 1) return 0;
  if (const auto found = find_column(header, parse_column(usual_name))) return *found;
  std::vector<std::string> names;
  for (size_t i = 0; i < header.size() && i < 8; ++i) names.push_back(excerpt(header[i]));
  throw_input_error("row 1", std::to_string(header.size()) + " columns",
                    "one, one called '" + usual_name + "', or --column with one of " + join(names) +
                        (header.size() > 8 ? ", ..." : ""));
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
  const std::vector<std::string> header = parse_csv_header(text);
  std::string named;
  if (header.size() == 1 && parse_number(header[0])) {
    named = usual_name + "\n" + std::string(text);
    text = named;
  }
  const std::vector<std::string> names = parse_csv_header(text);
  CsvChoice choice;
  choice.numbers = {chosen_column(names, column)};
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
      throw_input_error("variables", "no " + excerpt(name), "it, or --column with another name");
    return at_place(name, [&] { return costs_of_array(found->second); });
  });
}

}  // namespace loopcert
