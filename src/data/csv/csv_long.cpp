// One row per step: rows that follow each other and carry the same label are one episode.
#include <fmt/format.h>

#include <cmath>
#include <map>

#include "core/check.hpp"
#include "core/text.hpp"
#include "csv/csv_episodes.hpp"
#include "data/csv.hpp"
#include "excerpt.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

// A clock may jitter by this part of a period before a row counts as lost or repeated.
constexpr double jitter = 0.1;

struct Column {
  ColumnSpec spec;
  size_t position = 0;  // in the file
};

std::vector<Column> find_columns(const Names& header, const std::vector<ColumnSpec>& wanted,
                                 const std::string& key) {
  std::vector<Column> found;
  for (const ColumnSpec& spec : wanted) found.push_back({spec, need_column(header, spec, key)});
  return found;
}

// [first, last) of one episode's rows.
struct RowRange {
  Index first = 0, last = 0;
};

std::vector<RowRange> label_ranges(const CsvRows& table, const Column& label) {
  std::vector<RowRange> ranges;
  std::map<std::string, Index> seen;
  for (Index row = 0; row < table.rows; ++row) {
    const std::string& text = table.labels[static_cast<size_t>(row)];
    const std::string place =
        fmt::format("row {}, column {} ({})", row + 2, label.position + 1, label.spec.name);
    if (text.empty()) throw_input_error(place, "an empty field", "the label of an episode");
    if (row > 0 && text == table.labels[static_cast<size_t>(row) - 1]) {
      ranges.back().last = row + 1;
      continue;
    }
    if (!seen.emplace(text, row).second)
      throw InputError(place + ": " + excerpt(text) +
                       " occurs again after another label: the rows of an episode must follow each "
                       "other");
    ranges.push_back({row, row + 1});
  }
  return ranges;
}

// Steps count by one, times by the period: a row that is missing or there twice is refused.
void check_clock(const CsvRows& table, size_t width, const RowRange& range, const Column& clock,
                 const DataLayout& layout) {
  const bool steps = !layout.step.name.empty();
  const double period = steps ? 1 : layout.period;
  const double tolerance = steps ? 0 : jitter * period;
  for (Index row = range.first + 1; row < range.last; ++row) {
    const double before = table.values[static_cast<size_t>(row - 1) * width];
    const double here = table.values[static_cast<size_t>(row) * width];
    if (!(std::abs(here - before - period) <= tolerance))
      throw_input_error(
          fmt::format("row {}, column {} ({})", row + 2, clock.position + 1, clock.spec.name),
          fmt::format("{} after {}", number_text(here), number_text(before)),
          fmt::format("a step of {} (a lost or repeated row?)", number_text(period)));
  }
}

// Columns [begin, begin + columns.size()) of the rows, as one episode.
Matrix episode_of(const CsvRows& table, size_t width, const RowRange& range, size_t begin,
                  const std::vector<Column>& columns) {
  Matrix episode(range.last - range.first, static_cast<Index>(columns.size()));
  for (Index row = range.first; row < range.last; ++row)
    for (size_t i = 0; i < columns.size(); ++i) {
      const double value = table.values[static_cast<size_t>(row) * width + begin + i];
      // Only the input at the last state, which nobody uses, may be missing.
      if (std::isnan(value) && row + 1 < range.last)
        throw_input_error(fmt::format("row {}, column {} ({})", row + 2, columns[i].position + 1,
                                      columns[i].spec.name),
                          "an empty field", "a number");
      episode(row - range.first, static_cast<Index>(i)) = columns[i].spec.value(value);
    }
  return episode;
}

}  // namespace

LongEpisodes long_episodes(std::string_view text, const DataLayout& layout, const Sizes& sizes,
                           bool rollouts) {
  const Names header = parse_csv_header(text);
  const bool steps = !layout.step.name.empty();
  const ColumnSpec& clock_spec = steps ? layout.step : layout.time;
  if (clock_spec.name.empty())
    throw_input_error("data.step", "nothing", "the column that counts the steps (or data.time)");
  const Column clock{clock_spec,
                     need_column(header, clock_spec, steps ? "data.step" : "data.time")};
  const std::vector<Column> first =
      rollouts ? find_columns(header, component_columns(layout.states, layout.symbol, sizes.n_x),
                              layout.symbol == "y" ? "data.outputs" : "data.states")
               : find_columns(header, component_columns(layout.disturbances, "w", sizes.n_w),
                              "data.disturbances");
  std::vector<Column> inputs;
  if (rollouts)
    inputs = find_columns(header, component_columns(layout.inputs, "u", sizes.n_u), "data.inputs");

  CsvChoice choice;
  choice.numbers.push_back(clock.position);
  choice.clock = !steps;
  for (const Column& column : first) choice.numbers.push_back(column.position);
  for (const Column& column : inputs) choice.numbers.push_back(column.position);
  choice.may_be_empty = inputs.size();
  Column label;
  if (!layout.episode.name.empty()) {
    label = {layout.episode, need_column(header, layout.episode, "data.episode")};
    choice.label = label.position;
  }
  const CsvRows table = parse_csv_rows(text, choice);
  check_at_least("rows", table.rows, 1);

  const size_t width = choice.numbers.size();
  LongEpisodes found;
  for (const RowRange& range :
       choice.label ? label_ranges(table, label) : std::vector<RowRange>{{0, table.rows}}) {
    check_clock(table, width, range, clock, layout);
    (rollouts ? found.x : found.w).push_back(episode_of(table, width, range, 1, first));
    if (rollouts) found.u.push_back(episode_of(table, width, range, 1 + first.size(), inputs));
  }
  return found;
}

}  // namespace loopcert
