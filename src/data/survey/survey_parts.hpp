// The parts of a survey: numbers of a signal, tables, arrays.
#pragma once

#include <span>
#include <string_view>

#include "data/array.hpp"
#include "loopcert/data/survey.hpp"

namespace loopcert {

// Of the numbers among `values`; NaN stands for a field that holds none.
void count_numbers(SurveyedSignal& signal, std::span<const double> values);

// One file of CSV text.
LogSurvey survey_table(std::string_view text, const SurveyHints& hints);

// States and inputs of one file, or of two.
LogSurvey survey_arrays(const Array& x, const Array& u);

// Rows in which a clock does not go on by its period: another episode begins there, or rows are
// lost.
struct Clock {
  size_t column = 0;
  bool counts = false;  // by one
  double period = 0;
  std::vector<Index> breaks;
};

// Fields of a table, row by row.
struct TableFields {
  std::vector<ColumnSpec> names;
  Index rows = 0;
  std::vector<std::string_view> fields;
  std::vector<double> numbers;  // NaN where a field is none

  std::string_view field(Index row, size_t column) const {
    return fields[static_cast<size_t>(row) * names.size() + column];
  }
  double number(Index row, size_t column) const {
    return numbers[static_cast<size_t>(row) * names.size() + column];
  }
  std::vector<double> column(size_t at) const;
};

std::optional<Clock> find_clock(const TableFields& table, const SurveyHints& hints);

// The column whose label changes where episodes begin; throws InputError where the clock starts
// over and no column says why.
std::optional<size_t> find_label(const TableFields& table, const Clock& clock,
                                 const SurveyHints& hints);

// First rows of the episodes.
std::vector<Index> label_starts(const TableFields& table, size_t column);

// A table with a row for each episode, where its names say so.
std::optional<LogSurvey> survey_wide(const TableFields& table);

}  // namespace loopcert
