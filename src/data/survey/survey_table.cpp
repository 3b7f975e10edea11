// A table of logs: its columns, its clock, its episodes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/memory.hpp"
#include "core/text.hpp"
#include "csv/csv_fields.hpp"
#include "csv/csv_lines.hpp"
#include "loopcert/core/error.hpp"
#include "survey/survey_parts.hpp"

namespace loopcert {
namespace {

TableFields fields_of(std::string_view text) {
  const CsvHeader header = take_header(text);
  check_last_line(text);
  const auto lines = static_cast<double>(std::count(text.begin(), text.end(), '\n')) + 1;
  check_memory("fields",
               lines * static_cast<double>(header.names.size()) *
                   (sizeof(std::string_view) + sizeof(double)),
               memory_limit());
  TableFields table;
  for (const std::string& name : header.names) table.names.push_back(parse_column(name));
  NumberReader numbers(header.separator);
  std::vector<std::string_view> row;
  for (; !only_line_ends(text); ++table.rows) {
    split_row(take_line(text), header.separator, static_cast<size_t>(table.rows) + 2,
              table.names.size(), row);
    for (const std::string_view field : row) {
      table.fields.push_back(field);
      const std::optional<double> number = field.empty() ? std::nullopt : numbers.read(field);
      table.numbers.push_back(
          number && std::isfinite(*number) ? *number : std::numeric_limits<double>::quiet_NaN());
    }
  }
  if (table.rows == 0) throw_input_error("rows", "none", "at least 1");
  return table;
}

SurveyedSignal signal_of(const TableFields& table, size_t column) {
  SurveyedSignal signal;
  signal.name = table.names[column].name;
  signal.unit = table.names[column].unit;
  count_numbers(signal, table.column(column));
  for (Index row = 0; row < table.rows; ++row)
    if (table.field(row, column).empty()) ++signal.empty;
  signal.texts = table.rows - signal.count - signal.empty;
  return signal;
}

void check_names_differ(const TableFields& table) {
  for (size_t i = 0; i < table.names.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (table.names[i].name == table.names[j].name)
        throw InputError(fmt::format("row 1, column {} ({}): this name occurs twice", i + 1,
                                     table.names[i].name));
}

}  // namespace

std::vector<double> TableFields::column(size_t at) const {
  std::vector<double> values;
  for (Index row = 0; row < rows; ++row) values.push_back(number(row, at));
  return values;
}

LogSurvey survey_table(std::string_view text, const SurveyHints& hints) {
  const TableFields table = fields_of(text);
  check_names_differ(table);
  if (hints.time.empty() && hints.episode.empty())
    if (auto wide = survey_wide(table)) return std::move(*wide);
  const std::optional<Clock> clock = find_clock(table, hints);
  if (!clock)
    throw_input_error("row 1", "no column that goes on by a constant step",
                      "one with times or with step numbers 0, 1, 2, ...");
  LogSurvey survey;
  survey.layout.long_rows = true;
  for (size_t i = 0; i < table.names.size(); ++i) survey.signals.push_back(signal_of(table, i));
  (clock->counts ? survey.layout.step : survey.layout.time) = table.names[clock->column];
  if (!clock->counts) survey.layout.period = clock->period;
  survey.signals[clock->column].role = clock->counts ? "step" : "time";
  std::vector<Index> starts = {0};
  if (const auto label = find_label(table, *clock, hints)) {
    survey.layout.episode = table.names[*label];
    survey.signals[*label].role = "episode";
    starts = label_starts(table, *label);
  }
  starts.push_back(table.rows);
  for (size_t i = 1; i < starts.size(); ++i)
    survey.lengths.push_back(starts[i] - starts[i - 1] - 1);
  return survey;
}

}  // namespace loopcert
