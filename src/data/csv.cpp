#include "loopcert/data/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

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
    const auto control = [](char c) { return (c >= 0 && c < 0x20) || c == 0x7f; };
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

// The fields of one row, none of them looked at yet.
void split_row(std::string_view line, size_t row, size_t expected,
               std::vector<std::string_view>& fields) {
  fields.clear();
  if (line.empty())
    throw_input_error(fmt::format("row {}", row), "an empty row", std::to_string(expected));
  const auto found = static_cast<size_t>(std::count(line.begin(), line.end(), ',')) + 1;
  if (found != expected)
    throw_input_error(
        fmt::format("row {}", row),
        fmt::format("{} fields{}", found, found == 2 * expected ? " (decimal commas?)" : ""),
        std::to_string(expected));
  for (size_t column = 0; column < expected; ++column) fields.push_back(take_field(line));
}

double read_number(std::string_view field, size_t row, size_t column, const std::string& name,
                   bool may_be_empty) {
  if (field.empty() && may_be_empty) return std::numeric_limits<double>::quiet_NaN();
  const std::optional<double> value = parse_number(field);
  if (!value || !std::isfinite(*value)) throw_bad_field(row, column + 1, name, field);
  return *value;
}

// Takes the header off the front of `text`.
std::vector<std::string> take_header(std::string_view& text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // byte order mark
  if (only_line_ends(text)) throw_input_error("row 1", "nothing", "a header row of column names");
  return parse_header(take_line(text));
}

}  // namespace

std::vector<std::string> parse_csv_header(std::string_view text) { return take_header(text); }

CsvRows parse_csv_rows(std::string_view text, const CsvChoice& choice) {
  const std::vector<std::string> names = take_header(text);
  // The last number of a truncated file would read as another number.
  if (!text.empty() && text.back() != '\n')
    throw_input_error(fmt::format("row {}", std::count(text.begin(), text.end(), '\n') + 2),
                      "no line end (truncated file?)", "one after every row");
  const auto lines = static_cast<double>(std::count(text.begin(), text.end(), '\n')) + 1;
  const double width = static_cast<double>(choice.numbers.size()) * sizeof(double) +
                       (choice.label ? sizeof(std::string) : 0);
  check_memory("numbers", lines * width, memory_limit());

  CsvRows table;
  table.values.reserve(static_cast<size_t>(lines) * choice.numbers.size());
  std::vector<std::string_view> fields;
  const size_t filled = choice.numbers.size() - choice.may_be_empty;
  for (; !only_line_ends(text); ++table.rows) {  // blank lines are fine at the end only
    const size_t row = static_cast<size_t>(table.rows) + 2;
    split_row(take_line(text), row, names.size(), fields);
    for (size_t i = 0; i < choice.numbers.size(); ++i) {
      const size_t column = choice.numbers[i];
      table.values.push_back(read_number(fields[column], row, column, names[column], i >= filled));
    }
    if (choice.label) table.labels.emplace_back(fields[*choice.label]);
  }
  return table;
}

Array parse_csv(std::string_view text) {
  Array array;
  array.columns = parse_csv_header(text);
  CsvChoice all;
  for (size_t column = 0; column < array.columns.size(); ++column) all.numbers.push_back(column);
  CsvRows table = parse_csv_rows(text, all);
  array.values = std::move(table.values);
  array.shape = {table.rows, static_cast<Index>(array.columns.size())};
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
