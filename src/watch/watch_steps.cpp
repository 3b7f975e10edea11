#include "watch/watch_steps.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/number_from.hpp"
#include "core/text.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

using Fields = std::vector<std::string_view>;

std::string_view without_blanks(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\"");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\"") - first + 1);
}

// Between ',', ';' or tabs; without any of them between blanks.
Fields fields_of(std::string_view line) {
  Fields fields;
  const bool signs = line.find_first_of(",;\t") != std::string_view::npos;
  const char* const between = signs ? ",;\t" : " ";
  for (size_t at = 0; at <= line.size();) {
    const size_t end = std::min(line.find_first_of(between, at), line.size());
    const std::string_view field = without_blanks(line.substr(at, end - at));
    if (signs || !field.empty()) fields.push_back(field);
    at = end + 1;
  }
  return fields;
}

bool is_number(std::string_view text) { return text.empty() || number_from<double>(text); }

// Where a column of this name stands.
std::optional<size_t> place_of(const Fields& names, const std::string& name) {
  for (size_t i = 0; i < names.size(); ++i)
    if (names[i] == name || parse_column(std::string(names[i])).name == name) return i;
  return std::nullopt;
}

void add_columns(StepColumns& columns, const Fields& names, const std::vector<ColumnSpec>& wanted,
                 Index count, const std::vector<std::string>& usual) {
  for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
    std::optional<size_t> place;
    if (!wanted.empty()) place = place_of(names, wanted[i].name);
    for (const std::string& symbol : usual)
      if (wanted.empty() && !place) place = place_of(names, symbol + std::to_string(i));
    if (!place)
      throw_input_error(
          "names of columns", "none for component " + std::to_string(i + 1),
          "'" + (wanted.empty() ? usual[0] + std::to_string(i) : wanted[i].name) + "'");
    columns.places.push_back(*place);
    columns.factors.push_back(wanted.empty() ? 1 : wanted[i].factor);
    columns.zeros.push_back(wanted.empty() ? 0 : wanted[i].zero);
  }
}

StepColumns plain_columns(Index n_y, Index n_u) {
  StepColumns columns;
  for (size_t i = 0; i < static_cast<size_t>(n_y + n_u); ++i) columns.places.push_back(i);
  columns.factors.assign(columns.places.size(), 1);
  columns.zeros.assign(columns.places.size(), 0);
  return columns;
}

}  // namespace

std::optional<StepColumns> named_columns(std::string_view line, const DataLayout& layout, Index n_y,
                                         Index n_u) {
  const Fields names = fields_of(line);
  if (std::all_of(names.begin(), names.end(), is_number)) return std::nullopt;
  StepColumns columns;
  add_columns(columns, names, layout.states, n_y, {"x", "y"});
  add_columns(columns, names, layout.inputs, n_u, {"u"});
  if (!layout.episode.name.empty()) columns.episode = place_of(names, layout.episode.name);
  if (!layout.step.name.empty()) columns.step = place_of(names, layout.step.name);
  return columns;
}

void watch_steps(PlantWatch& watch, LineFeed& lines, const StepFeed& feed) {
  const Index n_y = watch.claim().model.n_y, n_u = watch.claim().model.n_u;
  StepColumns columns = feed.columns.value_or(plain_columns(n_y, n_u));
  Index saved = -1;
  const auto save = [&] {
    if (feed.save && std::exchange(saved, lines.bytes()) != lines.bytes())
      feed.save(watch.state(), columns, saved);
  };
  const auto refuse = [&](std::string_view line) {
    save();  // the steps before this one are not lost
    throw_input_error(fmt::format("{}: after transition {}", lines.name(), watch.state().n),
                      "'" + one_line(line) + "'",
                      fmt::format("{} measured numbers, then {} inputs", n_y, n_u));
  };
  bool first = lines.bytes() == 0;
  const auto take = [&](std::string_view line) {
    if (without_blanks(line).empty()) {
      watch.restart();
      return false;
    }
    if (without_blanks(line)[0] == '#') return false;
    if (std::exchange(first, false))
      if (const auto named = named_columns(line, feed.layout, n_y, n_u)) {
        if (!feed.columns) columns = *named;
        return false;
      }
    const Fields fields = fields_of(line);
    const auto text = [&](size_t place) {
      return place < fields.size() ? fields[place] : std::string_view();
    };
    Vector y(n_y), u = Vector::Zero(n_u);
    Index empty = 0;  // inputs that are not there: all of them, or none
    for (Index i = 0; i < n_y + n_u; ++i) {
      const auto k = static_cast<size_t>(i);
      const std::string_view field = text(columns.places[k]);
      const std::optional<double> value = number_from<double>(field);
      if (i >= n_y && field.empty() && empty == i - n_y) {
        ++empty;
        continue;
      }
      if (!value || (i >= n_y && empty > 0)) refuse(line);
      (i < n_y ? y(i) : u(i - n_y)) = columns.factors[k] * (*value - columns.zeros[k]);
    }
    watch.place(std::string(columns.episode ? text(*columns.episode) : ""),
                columns.step ? number_from<double>(text(*columns.step)) : std::nullopt);
    if (empty > 0 && empty < n_u) refuse(line);
    const bool rejected = at_place(lines.name(), [&] { return watch.update(y, u); });
    if (feed.seen) feed.seen(watch.state());
    if (n_u > 0 && empty == n_u) watch.restart();  // the last measurement of a run
    return rejected;
  };
  for (bool more = !watch.rejected(); more;) {
    while (const auto line = lines.line())
      if (take(*line)) return save();
    if (!lines.hurries()) save();
    more = lines.read(feed.go_on);
  }
  if (watch.rejected()) return;
  const bool to_the_end = !feed.whole_lines && !feed.go_on;
  if (const std::string_view line = to_the_end ? lines.rest() : ""; !line.empty()) take(line);
  save();
}

}  // namespace loopcert
