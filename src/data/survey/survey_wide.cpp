// Tables with a row for each episode: a column for each signal and step.
#include <algorithm>
#include <map>

#include "core/number_from.hpp"
#include "csv/csv_columns.hpp"
#include "survey/survey_parts.hpp"

namespace loopcert {
namespace {

struct WideName {
  std::string signal;
  Index step = 0;
};

// "position_12", or as loopcert itself writes them "x12_0": state 0 at step 12.
std::optional<WideName> wide_name(const std::string& name, bool own) {
  const size_t at = name.rfind('_');
  if (at == name.npos || at == 0 || at + 1 == name.size()) return std::nullopt;
  const auto last = number_from<std::uint32_t>(name.substr(at + 1));
  if (!last) return std::nullopt;
  if (!own) return WideName{name.substr(0, at), *last};
  const auto step = number_from<std::uint32_t>(name.substr(1, at - 1));
  if (!step || (name[0] != 'x' && name[0] != 'u')) return std::nullopt;
  return WideName{name[0] + std::to_string(*last), *step};
}

// Columns of each signal by step; nothing unless every signal has the steps 0, 1, 2, ….
using WideColumns = std::map<std::string, std::map<Index, size_t>>;

std::optional<WideColumns> wide_columns(const TableFields& table, bool own) {
  WideColumns found;
  for (size_t i = 0; i < table.names.size(); ++i) {
    const auto name = wide_name(table.names[i].name, own);
    if (name)
      found[name->signal][name->step] = i;
    else if (own)
      return std::nullopt;
  }
  for (const auto& [signal, steps] : found)
    if (steps.begin()->first != 0 || steps.rbegin()->first + 1 != std::ssize(steps))
      return std::nullopt;
  return found.empty() ? std::nullopt : std::optional(found);
}

}  // namespace

std::optional<LogSurvey> survey_wide(const TableFields& table) {
  LogSurvey survey;
  auto columns = wide_columns(table, true);
  survey.own_names = columns.has_value();
  if (!columns) columns = wide_columns(table, false);
  if (!columns) return std::nullopt;
  Index most = 0, inputs = 0;
  for (const auto& [name, steps] : *columns) most = std::max(most, std::ssize(steps));
  // Names that end in _0 and _1 may as well be those of a vector's components.
  for (size_t i = 0; i < table.names.size() && !survey.own_names; ++i)
    if (!wide_name(table.names[i].name, false) && most < 4) return std::nullopt;
  for (const auto& [name, steps] : *columns) {
    SurveyedSignal signal;
    signal.name = name;
    signal.unit = table.names[steps.begin()->second].unit;
    std::vector<double> values;
    for (const auto& [step, column] : steps)
      for (Index row = 0; row < table.rows; ++row) values.push_back(table.number(row, column));
    count_numbers(signal, values);
    signal.texts = std::ssize(values) - signal.count;
    if (survey.own_names) signal.role = name[0] == 'x' ? "state" : "input";
    if (std::ssize(steps) == most - 1) ++inputs;
    survey.signals.push_back(signal);
  }
  survey.layout.last_input = inputs == 0;
  survey.lengths.assign(static_cast<size_t>(table.rows), most - 1);
  return survey;
}

}  // namespace loopcert
