#include "loopcert/data/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "csv_fields.hpp"
#include "excerpt.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/core/memory.hpp"

namespace loopcert {
namespace {

// Takes the next line, without its LF or CRLF, off the front of `text`.
std::string_view take_line(std::string_view& text) {
  const size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == text.npos ? text.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

bool only_line_ends(std::string_view text) { return text.find_first_not_of("\r\n") == text.npos; }

std::vector<std::string> parse_header(std::string_view line) {
  if (line.find(',') == line.npos)
    for (const char other : {';', '\t'})
      if (line.find(other) != line.npos)
        throw_input_error("row 1", fmt::format("fields separated by {}", excerpt({&other, 1})),
                          "',' between fields and '.' in numbers");
  const std::vector<std::string_view> fields = split_fields(line);
  if (std::all_of(fields.begin(), fields.end(),
                  [](std::string_view field) { return parse_number(field).has_value(); }))
    throw_input_error("row 1", "numbers in the header row", "column names");
  std::vector<std::string> names;
  for (const std::string_view field : fields) {
    if (field.empty())
      throw_input_error(fmt::format("row 1, column {}", names.size() + 1), "no name",
                        "a column name (and no index column)");
    const auto control = [](char c) { return c >= 0 && c < 0x20; };
    if (std::any_of(field.begin(), field.end(), control))
      throw_input_error(fmt::format("row 1, column {}", names.size() + 1), excerpt(field),
                        "a name without control characters");
    names.emplace_back(field);
  }
  return names;
}

[[noreturn]] void throw_bad_field(size_t row, size_t column, const std::string& name,
                                  std::string_view field) {
  const std::string place = fmt::format("row {}, column {} ({})", row, column, name);
  if (field.empty()) throw_input_error(place, "an empty field", "a number");
  const bool semicolon = field.find(';') != field.npos;
  throw_input_error(place, excerpt(field),
                    semicolon ? "',' between fields and '.' in numbers" : "a finite number");
}

void parse_row(std::string_view line, size_t row, const std::vector<std::string>& names,
               std::vector<double>& values) {
  const auto found = static_cast<size_t>(std::count(line.begin(), line.end(), ',')) + 1;
  if (line.empty() || found != names.size())
    throw_input_error(fmt::format("row {}", row),
                      line.empty()
                          ? "an empty row"
                          : fmt::format("{} fields{}", found,
                                        found == 2 * names.size() ? " (decimal commas?)" : ""),
                      std::to_string(names.size()));
  for (size_t column = 0; column < names.size(); ++column) {
    const std::string_view field = take_field(line);
    const std::optional<double> value = parse_number(field);
    if (!value || !std::isfinite(*value)) throw_bad_field(row, column + 1, names[column], field);
    values.push_back(*value);
  }
}

}  // namespace

Array parse_csv(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // byte order mark
  if (only_line_ends(text)) throw_input_error("row 1", "nothing", "a header row of column names");

  const auto separator = [](char c) { return c == ',' || c == '\n'; };
  const auto most = std::count_if(text.begin(), text.end(), separator) + 1;
  check_memory("numbers", static_cast<double>(most) * sizeof(double), memory_limit());

  Array array;
  array.columns = parse_header(take_line(text));
  array.values.reserve(static_cast<size_t>(most));
  Index rows = 0;
  for (; !only_line_ends(text); ++rows)  // blank lines are fine at the end only
    parse_row(take_line(text), static_cast<size_t>(rows) + 2, array.columns, array.values);
  array.shape = {rows, static_cast<Index>(array.columns.size())};
  return array;
}

std::string format_csv(const Array& array) {
  if (array.shape.size() != 2)
    throw_input_error("shape", shape_text(array.shape), "two axes for a .csv file");
  const auto cols = static_cast<size_t>(array.shape[1]);
  if (!array.columns.empty() && array.columns.size() != cols)
    throw_input_error("columns", fmt::format("{} names", array.columns.size()),
                      std::to_string(cols));
  fmt::memory_buffer text;
  for (size_t j = 0; j < cols; ++j) {
    const std::string name = array.columns.empty() ? fmt::format("c{}", j) : array.columns[j];
    if (name.empty() || name.find_first_of(",\"\r\n") != name.npos)
      throw_input_error(fmt::format("column {}", j + 1), excerpt(name),
                        "a name without commas, quotes and line ends");
    fmt::format_to(std::back_inserter(text), "{}{}", name, j + 1 < cols ? "," : "\n");
  }
  for (size_t i = 0; i < array.values.size(); ++i)  // "{}" is the shortest exact text
    fmt::format_to(std::back_inserter(text), "{}{}", array.values[i],
                   (i + 1) % cols != 0 ? "," : "\n");
  return fmt::to_string(text);
}

}  // namespace loopcert
