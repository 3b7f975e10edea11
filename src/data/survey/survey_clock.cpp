// Which column counts time, and which one labels episodes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "core/number_from.hpp"
#include "core/text.hpp"
#include "csv/timestamp.hpp"
#include "excerpt.hpp"
#include "loopcert/core/error.hpp"
#include "survey/survey_parts.hpp"

namespace loopcert {
namespace {

// As the reader of logs does: a clock may jitter by this part of a period.
constexpr double clock_jitter = 0.1;

std::string lower(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

bool is_called(const std::string& name, std::initializer_list<const char*> words) {
  const std::string here = lower(name);
  return std::any_of(words.begin(), words.end(), [&](const char* word) { return here == word; });
}

bool names_time(const std::string& name) {
  return is_called(name, {"t", "time", "timestamp", "date", "datetime", "zeit", "zeitstempel", "k",
                          "step", "n", "i", "index", "sample", "tick", "seconds", "sec"}) ||
         lower(name).starts_with("time");
}

bool names_episode(const std::string& name) {
  return is_called(name, {"run", "episode", "trial", "id", "batch", "experiment", "test", "lap",
                          "trajectory", "cycle", "versuch"});
}

bool is_listed(const ColumnSpec& column, const std::vector<std::string>& names) {
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return name == column.name || name == column_text(column);
  });
}

// Numbers, or seconds since midnight of the first timestamp's day; empty where a field is neither.
std::vector<double> times_of(const TableFields& table, size_t column, bool& stamps) {
  std::vector<double> times;
  const auto first = table.rows > 0 ? parse_timestamp(table.field(0, column)) : std::nullopt;
  stamps = first.has_value();
  for (Index row = 0; row < table.rows; ++row) {
    const auto stamp = stamps ? parse_timestamp(table.field(row, column)) : std::nullopt;
    const double time = stamp ? seconds_since(*first, *stamp) : table.number(row, column);
    if (!std::isfinite(time) || (stamps && !stamp)) return {};
    times.push_back(time);
  }
  return times;
}

// The middle one of the steps forward, to the digits that a person would write.
double usual_step(const std::vector<double>& times) {
  std::vector<double> steps;
  for (size_t i = 1; i < times.size(); ++i)
    if (times[i] > times[i - 1]) steps.push_back(times[i] - times[i - 1]);
  if (steps.empty()) return 0;
  const auto middle = steps.begin() + static_cast<Index>(steps.size() / 2);
  std::nth_element(steps.begin(), middle, steps.end());
  const double rounded = number_from<double>(fmt::format("{:.4g}", *middle)).value_or(*middle);
  return std::abs(rounded - *middle) < 1e-3 * *middle ? rounded : *middle;
}

std::optional<Clock> clock_of(const TableFields& table, size_t column) {
  bool stamps = false;
  const std::vector<double> times = times_of(table, column, stamps);
  Clock clock{column, false, usual_step(times), {}};
  if (!(clock.period > 0) || !std::isfinite(clock.period)) return std::nullopt;
  bool exact = !stamps && clock.period == 1 && table.names[column].unit.empty();
  for (size_t i = 1; i < times.size(); ++i) {
    const double step = times[i] - times[i - 1];
    if (!(std::abs(step - clock.period) <= clock_jitter * clock.period))
      clock.breaks.push_back(static_cast<Index>(i));
    else
      exact = exact && step == 1;
  }
  clock.counts = exact;
  // Episodes of two steps have a break every third row.
  return 3 * clock.breaks.size() <= times.size() ? std::optional(clock) : std::nullopt;
}

size_t named(const TableFields& table, const std::string& name) {
  std::vector<std::string> known;
  for (size_t i = 0; i < table.names.size(); ++i) {
    if (is_listed(table.names[i], {name})) return i;
    known.push_back(column_text(table.names[i]));
  }
  throw_input_error("row 1", "no column " + excerpt(name), "one of " + join(known));
}

}  // namespace

std::optional<Clock> find_clock(const TableFields& table, const SurveyHints& hints) {
  if (!hints.time.empty()) {
    const size_t column = named(table, hints.time);
    if (const auto clock = clock_of(table, column)) return clock;
    throw_input_error("column " + excerpt(hints.time), "no constant step", "times or step numbers");
  }
  std::optional<Clock> unnamed;
  for (size_t i = 0; i < table.names.size(); ++i) {
    if (is_listed(table.names[i], hints.states) || is_listed(table.names[i], hints.inputs) ||
        is_listed(table.names[i], {hints.episode}))
      continue;
    const std::optional<Clock> clock = clock_of(table, i);
    if (!clock) continue;
    if (names_time(table.names[i].name)) return clock;
    if (!unnamed) unnamed = clock;
  }
  return unnamed;
}

std::vector<Index> label_starts(const TableFields& table, size_t column) {
  std::vector<Index> starts = {0};
  for (Index row = 1; row < table.rows; ++row)
    if (table.field(row, column) != table.field(row - 1, column)) starts.push_back(row);
  return starts;
}

std::optional<size_t> find_label(const TableFields& table, const Clock& clock,
                                 const SurveyHints& hints) {
  if (!hints.episode.empty()) return named(table, hints.episode);
  std::optional<size_t> best;
  size_t fewest = 0;
  for (size_t i = 0; i < table.names.size(); ++i) {
    if (i == clock.column || is_listed(table.names[i], hints.states) ||
        is_listed(table.names[i], hints.inputs))
      continue;
    const std::vector<Index> starts = label_starts(table, i);
    if (starts.size() < 2 || 2 * starts.size() > static_cast<size_t>(table.rows)) continue;
    std::set<std::string_view> labels;
    for (const Index row : starts) labels.insert(table.field(row, i));
    if (labels.size() != starts.size() || labels.contains("")) continue;
    const bool covers =
        std::includes(starts.begin(), starts.end(), clock.breaks.begin(), clock.breaks.end());
    if (!covers || (clock.breaks.empty() && !names_episode(table.names[i].name))) continue;
    if (!best || starts.size() < fewest) best = i, fewest = starts.size();
  }
  if (!best && !clock.breaks.empty()) {
    const Index row = clock.breaks.front();
    throw_input_error(
        fmt::format("row {}, column {} ({})", row + 2, clock.column + 1,
                    table.names[clock.column].name),
        fmt::format("{} after {}", excerpt(table.field(row, clock.column)),
                    excerpt(table.field(row - 1, clock.column))),
        fmt::format("a step of {}, or a column whose label changes there (rows are lost, or "
                    "another episode begins: name its column, or split the file)",
                    number_text(clock.period)));
  }
  return best;
}

}  // namespace loopcert
