// What a problem file to start from should say, from what the logs hold.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/number_from.hpp"
#include "core/text.hpp"
#include "core/visible.hpp"
#include "loopcert/core/error.hpp"
#include "problem/tree_file.hpp"
#include "workflow/draft/draft_parts.hpp"

namespace loopcert {
namespace {

using Signals = std::vector<SurveyedSignal>;

std::string signal_name(const SurveyedSignal& s) { return column_text({s.name, s.unit}); }

Signals signals_of(const LogSurvey& survey, const std::vector<std::string>& names,
                   const std::string& role, const char* symbol) {
  Signals found;
  const bool named = survey.layout.long_rows || !survey.layout.axes.size();
  if (named && !names.empty()) {
    for (const std::string& name : names) found.push_back(survey.find(name));
  } else {
    for (const SurveyedSignal& s : survey.signals)
      if (s.role == role) found.push_back(s);
  }
  // The names that loopcert itself writes, in a row for each step.
  for (size_t i = 0; named && names.empty() && i < survey.signals.size(); ++i)
    for (const SurveyedSignal& s : survey.signals)
      if (s.role.empty() && s.name == symbol + std::to_string(i)) found.push_back(s);
  return found;
}

void check_signal(const SurveyedSignal& s, const std::string& what) {
  const std::string place = what + " " + one_line(signal_name(s));
  if (!s.role.empty() && s.role != what)
    throw_input_error(place, "the column that counts " + s.role, "a signal of the plant");
  if (s.texts > 0)
    throw_input_error(place,
                      s.texts == 1 ? "a field that is no number"
                                   : fmt::format("{} fields that are no numbers", s.texts),
                      "numbers in every row (leave such an episode out, or cut it there)");
  if (s.is_constant())
    throw_input_error(place, "nothing but " + number_text(s.least),
                      what == "input" ? "an input that moves: nothing can be learned from this one"
                                      : "a signal that changes");
}

// To the digits of its deviation: round numbers are easier to change.
double rounded_mean(const SurveyedSignal& s) {
  const double digit = std::pow(10, std::floor(std::log10(s.deviation)));
  const double rounded = std::round(s.mean / digit) * digit;
  return number_from<double>(fmt::format("{:.12g}", rounded)).value_or(rounded);
}

// Where a signal stays on one side of zero, that is no deviation from anything.
bool is_away(const SurveyedSignal& s) {
  return s.deviation > 0 && std::abs(s.mean) > 2 * s.deviation;
}

// Rows of numbers; empty: another form, such as a matrix for each step.
Matrix plain_matrix(const nlohmann::json& rows, Index columns) {
  if (!rows.is_array()) return {};
  Matrix matrix(std::ssize(rows), columns);
  for (size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i].is_array() || std::ssize(rows[i]) != columns) return {};
    for (size_t j = 0; j < rows[i].size(); ++j) {
      if (!rows[i][j].is_number()) return {};
      matrix(static_cast<Index>(i), static_cast<Index>(j)) = rows[i][j].get<double>();
    }
  }
  return matrix;
}

Vector means_of(const std::vector<SurveyedSignal>& signals) {
  Vector means(std::ssize(signals));
  for (size_t i = 0; i < signals.size(); ++i) means(static_cast<Index>(i)) = signals[i].mean;
  return means;
}

// A state that stays in a range changes by at most that range over an episode. A model that would
// change the mean of the logs faster counts from another point: its signals are deviations.
bool is_of_deviations(const DraftChoices& c) {
  if (c.system.contains("d") || c.system.contains("continuous")) return false;
  const Matrix A = plain_matrix(c.system["A"], std::ssize(c.states));
  const Matrix B = plain_matrix(c.system["B"], std::ssize(c.inputs));
  if (A.size() == 0 || B.rows() != A.rows()) return false;
  const Vector x = means_of(c.states), change = A * x + B * means_of(c.inputs) - x;
  for (size_t i = 0; i < c.states.size(); ++i) {
    const double range = c.states[i].largest - c.states[i].least;
    constexpr double surely = 2;
    if (std::abs(change(static_cast<Index>(i))) * static_cast<double>(c.survey.shortest()) >
        surely * range)
      return true;
  }
  return false;
}

void choose_zeros(DraftChoices& c) {
  const bool known = !c.system.is_null(), deviations = !known || is_of_deviations(c);
  const auto zeros = [&](const Signals& signals) {
    std::vector<double> found;
    for (const SurveyedSignal& s : signals) {
      const bool away = is_away(s) && deviations;
      if (away && !c.survey.layout.axes.empty())
        c.remarks.push_back(fmt::format("{}: around {:.3g}: subtract its setpoint before learning",
                                        one_line(signal_name(s)), s.mean));
      found.push_back(away && c.survey.layout.axes.empty() ? rounded_mean(s) : 0);
      c.shifted = c.shifted || found.back() != 0;
      c.offset = c.offset || std::abs(s.mean) > 0.25 * s.deviation;
    }
    return found;
  };
  c.state_zeros = zeros(c.states);
  c.input_zeros = zeros(c.inputs);
  if (c.shifted && known)
    c.remarks.push_back(
        "the model would not keep the mean of the logs: it is taken to count from there (zero)");
  if (c.shifted)
    c.remarks.push_back(
        "zero of a column is the rounded mean of the logs: write the setpoint that you want there");
}

void choose_scales(DraftChoices& c, const DraftOptions& options) {
  std::vector<std::pair<std::string, double>> given = options.largest;
  const auto scale = [&](const SurveyedSignal& s, double zero) {
    double size = std::max(std::abs(s.least - zero), std::abs(s.largest - zero));
    const auto at = std::find_if(given.begin(), given.end(), [&](const auto& pair) {
      return pair.first == s.name || pair.first == signal_name(s);
    });
    if (at != given.end()) {
      size = at->second;
      given.erase(at);
    }
    const double weight = 1 / (size * size);
    if (!(weight > 0) || !std::isfinite(weight))
      throw_input_error(one_line(signal_name(s)), "values of size " + number_text(size),
                        "a unit in which a square has a weight");
    return size;
  };
  for (size_t i = 0; i < c.states.size(); ++i)
    c.state_scales.push_back(scale(c.states[i], c.state_zeros[i]));
  for (size_t i = 0; i < c.inputs.size(); ++i)
    c.input_scales.push_back(scale(c.inputs[i], c.input_zeros[i]));
  if (!given.empty()) {
    std::vector<std::string> names;
    for (const SurveyedSignal& s : c.states) names.push_back(s.name);
    for (const SurveyedSignal& s : c.inputs) names.push_back(s.name);
    throw_input_error("largest", one_line(given.front().first), "one of " + join(names));
  }
  c.scales_given = options.largest.size() == c.states.size() + c.inputs.size();
  if (!c.scales_given && !c.system.is_null())
    c.remarks.push_back(
        "the weights follow these logs, and certificates of a plant that is known take them as "
        "fixed beforehand: say --largest, or learn from other logs");
}

// Many episodes of one length: over that length. One log, or logs of any length: for ever.
void choose_horizon(DraftChoices& c, const DraftOptions& options) {
  constexpr Index longest_usual = 200, window = 20;
  const Index shortest = c.survey.shortest(), longest = c.survey.longest();
  const auto n = static_cast<Index>(c.survey.lengths.size());
  const auto signals = static_cast<Index>(c.states.size() + c.inputs.size());
  const bool known = !c.system.is_null();
  if (options.infinite && known)
    throw_input_error("model", "a plant that is known", "a horizon of so many steps");
  if (!options.outputs.empty() && options.horizon)
    throw_input_error("outputs", "a horizon",
                      "an infinite one (or the signals as --states, if they are the whole state)");
  if (options.horizon)
    c.horizon = *options.horizon;
  else if (known)
    c.horizon = n >= 10 ? std::min(shortest, longest_usual) : std::min(shortest, window);
  else if (!options.infinite && options.outputs.empty() && n >= 20 + 2 * signals &&
           shortest <= longest_usual)
    c.horizon = shortest;
  c.lags = options.lags.value_or(options.outputs.empty() ? 1 : 2);
  if (!c.horizon) return;
  if (*c.horizon > shortest)
    throw_input_error("horizon", std::to_string(*c.horizon),
                      fmt::format("at most {}, the steps of the shortest episode", shortest));
  c.windows = known && longest >= 2 * *c.horizon;
  c.cut = !c.windows && longest > *c.horizon;
  if (c.windows)
    c.remarks.push_back(
        "episodes are cut into pieces, which certificates take for independent: data.gap leaves "
        "steps out between them");
}

void remark_signals(DraftChoices& c) {
  for (const Signals* signals : {&c.states, &c.inputs})
    for (const SurveyedSignal& s : *signals) {
      if (s.empty > 0 && signals == &c.states)
        c.remarks.push_back(fmt::format("{}: {} empty fields", one_line(signal_name(s)), s.empty));
      if (s.whole)
        c.remarks.push_back(
            fmt::format("{}: nothing but whole numbers: a counter, a code, or a coarse sensor?",
                        one_line(signal_name(s))));
    }
  // Which others could have been meant.
  for (const SurveyedSignal& s : c.survey.signals) {
    const auto same = [&](const SurveyedSignal& other) { return other.name == s.name; };
    if (s.role.empty() && s.is_number() && std::none_of(c.states.begin(), c.states.end(), same) &&
        std::none_of(c.inputs.begin(), c.inputs.end(), same))
      c.remarks.push_back(one_line(signal_name(s)) +
                          (s.is_constant() ? ": constant, not used" : ": not used"));
  }
}

nlohmann::json model_of(const std::filesystem::path& path, const DraftChoices& c) {
  nlohmann::json tree = read_tree(path);
  const nlohmann::json system = tree.contains("system") ? tree["system"] : tree;
  if (!system.is_object() || !system.contains("A") || !system.contains("B"))
    throw_input_error(path.string() + ": system", "no A and B", "the matrices of the plant");
  const auto rows = [&](const char* key) {
    const nlohmann::json& matrix = system[key];
    return matrix.is_array() ? std::ssize(matrix) : 0;
  };
  if (rows("A") != std::ssize(c.states))
    throw_input_error(path.string() + ": system.A", fmt::format("{} rows", rows("A")),
                      fmt::format("{}, one for each of --states", c.states.size()));
  return system;
}

}  // namespace

DraftChoices choose_draft(const Paths& logs, const DraftOptions& options) {
  if (!options.states.empty() && !options.outputs.empty())
    throw_input_error("outputs", "states as well", "one of them: is the whole state measured?");
  const std::vector<std::string>& measured =
      options.outputs.empty() ? options.states : options.outputs;
  DraftChoices c;
  c.logs = logs;
  c.survey = survey_logs(logs, {options.time, options.episode, measured, options.inputs});
  c.name = visible_line(options.name.empty() ? logs.front().stem().string() : options.name);
  c.states = signals_of(c.survey, measured, "state", "x");
  c.inputs = signals_of(c.survey, options.inputs, "input", "u");
  if (c.states.empty() || c.inputs.empty())
    throw_input_error(c.states.empty() ? "states" : "inputs", "none", "the columns that hold them");
  for (const SurveyedSignal& s : c.states) check_signal(s, "state");
  for (const SurveyedSignal& s : c.inputs) check_signal(s, "input");
  for (const SurveyedSignal& s : c.states)
    for (const SurveyedSignal& u : c.inputs)
      if (s.name == u.name)
        throw_input_error("inputs", one_line(u.name), "no column that is a state as well");
  if (c.survey.shortest() < 1)
    throw_input_error("episodes", "one of a single row", "at least two rows in each");
  if (options.model) c.system = model_of(*options.model, c);
  remark_signals(c);
  choose_zeros(c);
  choose_scales(c, options);
  choose_horizon(c, options);
  return c;
}

}  // namespace loopcert
