#include "data/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/memory.hpp"
#include "csv/csv_fields.hpp"
#include "csv/csv_lines.hpp"
#include "csv/timestamp.hpp"
#include "excerpt.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

std::vector<std::string> parse_header(std::string_view line, char separator) {
  const std::vector<std::string_view> fields = split_fields(line, separator);
  NumberReader numbers(separator);
  if (std::all_of(fields.begin(), fields.end(),
                  [&](std::string_view field) { return numbers.read(field).has_value(); }))
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

// Where a field stands, for messages.
struct Place {
  size_t row, column;  // the column from 0
  const std::string& name;

  std::string text() const { return fmt::format("row {}, column {} ({})", row, column + 1, name); }
};

// `sign` is the decimal sign of the numbers before.
[[noreturn]] void throw_bad_field(const Place& place, std::string_view field, char separator,
                                  char sign) {
  if (field.empty()) throw_input_error(place.text(), "an empty field", "a number");
  const char other = sign == ',' ? '.' : ',';
  std::string expected = "a finite number";
  if (separator == ',' && field.find(';') != field.npos)
    expected = "',' between fields, as in the header";
  else if (separator == ',' && field.find(',') != field.npos)
    expected = "'.' in numbers where ',' separates them";
  else if (sign != 0 && field.find(other) != field.npos)
    expected = fmt::format("'{}' in every number, as in those before", sign);
  throw_input_error(place.text(), excerpt(field), expected);
}

double read_number(std::string_view field, char separator, NumberReader& numbers,
                   const Place& place, bool may_be_empty) {
  if (field.empty() && may_be_empty) return std::numeric_limits<double>::quiet_NaN();
  const char sign = numbers.sign();
  const std::optional<double> value = numbers.read(field);
  if (!value || !std::isfinite(*value)) throw_bad_field(place, field, separator, sign);
  return *value;
}

// A column of times: all numbers, or all timestamps. These become seconds since midnight of the
// first one's day.
class Clock {
 public:
  double read(std::string_view field, char separator, NumberReader& numbers, const Place& place) {
    const std::optional<Timestamp> time = parse_timestamp(field);
    const bool first_row = place.row == 2;
    if (time && first_row) first_ = time;
    if (time && first_) return seconds_since(*first_, *time);
    if (!first_ && !first_row) return read_number(field, separator, numbers, place, false);
    const std::optional<double> number = first_ ? std::nullopt : numbers.read(field);
    if (number && std::isfinite(*number)) return *number;
    throw_input_error(place.text(), field.empty() ? "an empty field" : excerpt(field),
                      first_ ? "a time such as 2026-01-31T12:00:00.25, as in the rows before"
                             : "a number, or a time such as 2026-01-31T12:00:00.25");
  }

 private:
  std::optional<Timestamp> first_;
};

}  // namespace

std::string_view take_line(std::string_view& text) {
  const size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == text.npos ? text.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

bool only_line_ends(std::string_view text) { return text.find_first_not_of("\r\n") == text.npos; }

CsvHeader take_header(std::string_view& text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // byte order mark
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
    throw InputError("row 1: the file is in UTF-16: save it as UTF-8");
  if (only_line_ends(text)) throw_input_error("row 1", "nothing", "a header row of column names");
  const std::string_view line = take_line(text);
  std::string_view rest = text;
  const char separator = separator_of(line, take_line(rest));
  return {parse_header(line, separator), separator};
}

// The last number of a truncated file would read as another number.
void check_last_line(std::string_view rows) {
  if (!rows.empty() && rows.back() != '\n')
    throw InputError(
        fmt::format("row {}: the file is truncated: no line end after its last row (if it is "
                    "complete, add one)",
                    std::count(rows.begin(), rows.end(), '\n') + 2));
}

void split_row(std::string_view line, char separator, size_t row, size_t expected,
               std::vector<std::string_view>& fields) {
  if (line.empty()) throw InputError(fmt::format("row {}: the row is empty", row));
  split_fields(line, separator, fields);
  const bool commas = separator == ',' && fields.size() == 2 * expected;
  if (fields.size() != expected)
    throw_input_error(fmt::format("row {}", row),
                      fmt::format("{} fields{}", fields.size(), commas ? " (decimal commas?)" : ""),
                      std::to_string(expected));
}

std::vector<std::string> parse_csv_header(std::string_view text) { return take_header(text).names; }

CsvRows parse_csv_rows(std::string_view text, const CsvChoice& choice) {
  const auto [names, separator] = take_header(text);
  check_last_line(text);
  const auto lines = static_cast<double>(std::count(text.begin(), text.end(), '\n')) + 1;
  const double width = static_cast<double>(choice.numbers.size()) * sizeof(double) +
                       (choice.label ? sizeof(std::string) : 0);
  check_memory("numbers", lines * width, memory_limit());

  CsvRows table;
  table.values.reserve(static_cast<size_t>(lines) * choice.numbers.size());
  std::vector<std::string_view> fields;
  NumberReader numbers(separator);
  Clock clock;
  const size_t filled = choice.numbers.size() - choice.may_be_empty;
  for (; !only_line_ends(text); ++table.rows) {  // blank lines are fine at the end only
    const size_t row = static_cast<size_t>(table.rows) + 2;
    split_row(take_line(text), separator, row, names.size(), fields);
    for (size_t i = 0; i < choice.numbers.size(); ++i) {
      const size_t column = choice.numbers[i];
      const Place place{row, column, names[column]};
      table.values.push_back(
          choice.clock && i == 0
              ? clock.read(fields[column], separator, numbers, place)
              : read_number(fields[column], separator, numbers, place, i >= filled));
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
