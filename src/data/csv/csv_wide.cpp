// One row per episode: the header says which column is which component at which step.
#include <fmt/format.h>

#include "core/check.hpp"
#include "csv/csv_episodes.hpp"
#include "data/csv.hpp"
#include "excerpt.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

// `from` is there: a pattern without {name} or {step} is refused where it is read.
std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

// The column of component i at step t: by the problem's pattern, or as `simulate --paths` writes.
ColumnSpec wide_column(const DataLayout& layout, const std::string& symbol, Index i, Index t) {
  const auto& mapped = mapped_columns(layout, symbol);
  if (mapped.empty()) return {fmt::format("{}{}_{}", symbol, t, i), "", 1};
  ColumnSpec column = mapped[static_cast<size_t>(i)];
  // The step first: a name may hold braces of its own.
  column.name =
      replaced(replaced(layout.pattern, "{step}", std::to_string(t)), "{name}", column.name);
  return column;
}

}  // namespace

const std::vector<ColumnSpec>& mapped_columns(const DataLayout& layout, const std::string& symbol) {
  return symbol == "x" || symbol == "y" ? layout.states
         : symbol == "u"                ? layout.inputs
                                        : layout.disturbances;
}

std::optional<Episodes> wide_episodes(std::string_view text, const DataLayout& layout,
                                      const Quantity& q) {
  const Names header = parse_csv_header(text);
  if (!find_column(header, wide_column(layout, q.symbol, 0, 0))) return std::nullopt;
  Index steps = q.steps;
  while (find_column(header, wide_column(layout, q.symbol, 0, steps))) ++steps;
  if (steps > q.steps && !q.longer)
    throw_input_error("row 1", fmt::format("{} steps of {}", steps, q.symbol),
                      fmt::format("{} (or data.longer to say how to cut)", q.steps));

  CsvChoice choice;
  std::vector<ColumnSpec> columns;
  for (Index t = 0; t < steps; ++t)
    for (Index i = 0; i < q.components; ++i) {
      const ColumnSpec column = wide_column(layout, q.symbol, i, t);
      choice.numbers.push_back(
          need_column(header, column, fmt::format("{} at every step", excerpt(column.name))));
      columns.push_back(column);
    }
  const CsvRows table = parse_csv_rows(text, choice);
  check_at_least("rows", table.rows, 1);
  Episodes episodes;
  size_t at = 0;
  for (Index row = 0; row < table.rows; ++row) {
    Matrix& episode = episodes.emplace_back(steps, q.components);
    size_t column = 0;
    for (Index t = 0; t < steps; ++t)
      for (Index i = 0; i < q.components; ++i)
        episode(t, i) = columns[column++].value(table.values[at++]);
  }
  return episodes;
}

}  // namespace loopcert
