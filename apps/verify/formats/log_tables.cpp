// Logs as loggers write them: a table with names of columns.
#include <charconv>
#include <cmath>
#include <sstream>

#include "formats/logs.hpp"

namespace verify {
namespace {

using Fields = std::vector<std::string>;

std::string trimmed(const std::string& text) {
  const size_t first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t\r");
  return first == text.npos || last == text.npos ? "" : text.substr(first, last - first + 1);
}

// Fields of a line; one in quotes may hold what separates them.
Fields split(const std::string& line, char separator) {
  Fields fields(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    if (c == separator && !quoted)
      fields.emplace_back();
    else if (c != '"')
      fields.back() += c;
  }
  for (std::string& field : fields) field = trimmed(field);
  return fields;
}

struct Sheet {
  Fields names;
  std::vector<Fields> rows;
  bool commas = false;  // may be decimal signs

  // Nothing when there is no such column.
  std::optional<size_t> find(const std::string& name) const {
    std::optional<size_t> found;
    for (size_t i = 0; i < names.size(); ++i) {
      if (names[i] != name) continue;
      if (found) bad(word(name), "this column twice", "once");
      found = i;
    }
    return found;
  }
  size_t need(const std::string& name) const {
    const std::optional<size_t> found = find(name);
    if (!found) bad("columns", "no " + word(name), "it, as the problem names it");
    return *found;
  }
  double number(size_t row, size_t column) const {
    std::string text = rows[row][column];
    if (const size_t comma = text.find(','); commas && comma != text.npos) text[comma] = '.';
    if (text.starts_with('+')) text.erase(0, 1);
    double value = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && rest == text.data() + text.size() ? value : NAN;
  }
};

Sheet parse_sheet(const std::string& bytes) {
  std::istringstream lines(bytes.substr(bytes.starts_with("\xEF\xBB\xBF") ? 3 : 0));
  std::string header, line;
  std::getline(lines, header);
  std::vector<std::string> rest;
  while (std::getline(lines, line))
    if (!trimmed(line).empty()) rest.push_back(line);
  char separator = 0;
  for (const char c : {';', ','})
    if (const size_t count = split(header, c).size();
        separator == 0 && count > 1 && (rest.empty() || split(rest[0], c).size() == count))
      separator = c;
  for (const char c : {';', ',', '\t'})
    if (separator == 0 && header.find(c) != header.npos) separator = c;
  if (separator == 0) separator = ',';
  Sheet sheet{split(header, separator), {}, separator != ','};
  for (std::string& name : sheet.names) name = without_unit(name);
  for (const std::string& text : rest) {
    sheet.rows.push_back(split(text, separator));
    if (sheet.rows.back().size() != sheet.names.size())
      bad("row " + std::to_string(sheet.rows.size() + 1), "another count of fields",
          "that of the names");
  }
  return sheet;
}

// A row for each step. Those after each other with the same label are an episode.
std::vector<Table> by_steps(const Sheet& sheet, const json& data, std::vector<Column> columns,
                            char symbol, long entries) {
  for (long i = std::ssize(columns); i < entries; ++i)
    columns.push_back({symbol + std::to_string(i)});
  std::vector<size_t> places;
  for (const Column& column : columns) places.push_back(sheet.need(column.name));
  std::optional<size_t> label;
  if (data.contains("episode")) label = sheet.need(column_of(data["episode"]).name);
  std::vector<Table> episodes;
  for (size_t row = 0; row < sheet.rows.size(); ++row) {
    if (row == 0 || (label && sheet.rows[row][*label] != sheet.rows[row - 1][*label]))
      episodes.push_back({0, entries, {}});
    for (size_t i = 0; i < columns.size(); ++i)
      episodes.back().values.push_back(columns[i].value(sheet.number(row, places[i])));
    ++episodes.back().rows;
  }
  return episodes;
}

// A row for each episode: a column for each entry of each step, or nothing.
std::vector<Table> by_episodes(const Sheet& sheet, const json& data,
                               const std::vector<Column>& columns, char symbol, long entries) {
  const auto name = [&](long step, long entry) {
    const std::string t = std::to_string(step);
    if (columns.empty()) return symbol + t + "_" + std::to_string(entry);
    std::string text = data.value("pattern", "{name}_{step}");
    text.replace(text.find("{step}"), 6, t);
    return text.replace(text.find("{name}"), 6, columns[static_cast<size_t>(entry)].name);
  };
  long steps = 0;
  while (sheet.find(name(steps, 0))) ++steps;
  std::vector<Table> episodes(steps > 0 ? sheet.rows.size() : 0, Table{steps, entries, {}});
  for (long t = 0; t < steps; ++t)
    for (long i = 0; i < entries; ++i) {
      const size_t at = sheet.need(name(t, i));
      const Column column = columns.empty() ? Column() : columns[static_cast<size_t>(i)];
      for (size_t row = 0; row < episodes.size(); ++row)
        episodes[row].values.push_back(column.value(sheet.number(row, at)));
    }
  return episodes;
}

}  // namespace

std::string without_unit(const std::string& text) {
  const size_t open = text.rfind('[');
  if (open == text.npos || open == 0 || !text.ends_with(']')) return text;
  const std::string name = trimmed(text.substr(0, open));
  return name.empty() ? text : name;
}

Column column_of(const json& text) {
  if (!text.is_object()) return {without_unit(text.get<std::string>())};
  return {without_unit(text.at("column").get<std::string>()), text.value("factor", 1.0),
          text.value("zero", 0.0)};
}

std::vector<Column> listed(const Problem& p, const char* key, long count) {
  std::vector<Column> columns;
  for (const json& text : p.tree.value("data", json::object()).value(key, json::array()))
    columns.push_back(column_of(text));
  if (!columns.empty() && std::ssize(columns) != count) bad(key, "another count", "one an entry");
  return columns;
}

Episodes parse_log_table(const std::string& bytes, const Problem& p) {
  const Sheet sheet = parse_sheet(bytes);
  const json data = p.tree.value("data", json::object());
  const std::vector<Column> states = listed(p, "states", p.n_x),
                            inputs = listed(p, "inputs", p.n_u);
  // As `simulate --paths` names them, whatever the problem says.
  const auto own = [&] {
    return Episodes{by_episodes(sheet, data, {}, 'x', p.n_x),
                    by_episodes(sheet, data, {}, 'u', p.n_u)};
  };
  if (data.value("layout", "") == "long") {
    if (sheet.find("x0_0") && !p.unknown->infinite) return own();
    return {by_steps(sheet, data, states, 'x', p.n_x), by_steps(sheet, data, inputs, 'u', p.n_u)};
  }
  Episodes found{by_episodes(sheet, data, states, 'x', p.n_x),
                 by_episodes(sheet, data, inputs, 'u', p.n_u)};
  return found.x.empty() && found.u.empty() ? own() : found;
}

}  // namespace verify
