// The text of a problem file to start from.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "core/visible.hpp"
#include "workflow/draft/draft_parts.hpp"

namespace loopcert {
namespace {

using Signals = std::vector<SurveyedSignal>;

// In double quotes, as TOML reads it back.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string short_number(double value) { return fmt::format("{:.3g}", value); }

// What goes behind a '#': one line, and no byte that an editor would obey.
std::string comment(const std::string& text) { return one_line(text); }

std::string line(const std::string& key, const std::string& remark) {
  return remark.empty() ? key + "\n" : fmt::format("{:<34} # {}\n", key, remark);
}

std::string shown(const SurveyedSignal& s) { return comment(column_text({s.name, s.unit})); }

std::string names_of(const Signals& signals) {
  std::vector<std::string> names;
  for (const SurveyedSignal& s : signals) names.push_back(shown(s));
  return join(names);
}

std::string weights_of(const std::vector<double>& scales) {
  std::vector<std::string> weights;
  for (const double scale : scales) weights.push_back(short_number(1 / (scale * scale)));
  return "[" + join(weights) + "]";
}

std::string sizes_of(const Signals& signals, const std::vector<double>& scales) {
  std::vector<std::string> sizes;
  for (size_t i = 0; i < signals.size(); ++i)
    sizes.push_back(comment(with_unit(scales[i], signals[i].unit)));
  return join(sizes);
}

std::string columns_of(const Signals& signals, const std::vector<double>& zeros) {
  std::vector<std::string> columns;
  for (size_t i = 0; i < signals.size(); ++i) {
    const std::string name = quoted(column_text({signals[i].name, signals[i].unit}));
    columns.push_back(
        zeros[i] == 0 ? name
                      : fmt::format("{{ column = {}, zero = {} }}", name, number_text(zeros[i])));
  }
  return "[" + join(columns) + "]";
}

std::string head(const DraftChoices& c) {
  std::vector<std::string> files;
  for (const std::filesystem::path& log : c.logs) files.push_back(log.string());
  const auto n = c.survey.lengths.size();
  const Index shortest = c.survey.shortest(), longest = c.survey.longest();
  std::string text = fmt::format(
      "# Written by loopcert init from {}: {} of {} steps.\n", comment(join(files)),
      n == 1 ? "one episode" : fmt::format("{} episodes", n),
      shortest == longest ? std::to_string(shortest) : fmt::format("{} to {}", shortest, longest));
  text += "# docs/problem-file.md explains every key, docs/quick-reference.md lists them.\n\n";
  return text;
}

std::string matrix_text(const Matrix& matrix) {
  std::vector<std::string> rows;
  for (Index i = 0; i < matrix.rows(); ++i) {
    std::vector<std::string> numbers;
    for (Index j = 0; j < matrix.cols(); ++j) numbers.push_back(number_text(matrix(i, j)));
    rows.push_back("[" + join(numbers) + "]");
  }
  return "[" + join(rows) + "]";
}

// Some rows hold exactly in the logs.
std::string partly_known_text(const DraftChoices& c) {
  std::vector<std::string> unknown, known;
  for (Index i = 0; i < std::ssize(c.states); ++i) {
    const bool exact =
        std::find(c.exact.numbers.begin(), c.exact.numbers.end(), i) != c.exact.numbers.end();
    (exact ? known : unknown).push_back(std::to_string(i + 1));
  }
  std::string text = "[system]\n";
  text += line("identify = [" + join(unknown) + "]",
               "rows estimated from the logs; the certificate covers the error");
  text += line("A = " + matrix_text(c.exact.A),
               "row " + join(known) + " holds exactly in the logs; the others are not used");
  text += "B = " + matrix_text(c.exact.B) + "\n";
  if (c.offset) text += line("offset = true", "an unknown constant in the rows that are estimated");
  return text + "\n";
}

std::string system_text(const DraftChoices& c) {
  if (!c.system.is_null()) {
    std::string text = "[system]                           # x_{t+1} = A x_t + B u_t + d + w_t\n";
    for (const auto& [key, value] : c.system.items())
      text += key + " = " + toml_value(value) + "\n";
    return text + "\n";
  }
  if (!c.exact.numbers.empty()) return partly_known_text(c);
  std::string text = "[system]\n";
  text += line("identify = true",
               "the plant is estimated from the logs; the certificate covers the error");
  text += line(fmt::format("states   = {}", c.states.size()), names_of(c.states));
  text += line(fmt::format("inputs   = {}", c.inputs.size()), names_of(c.inputs));
  if (c.lags > 1)
    text += line(fmt::format("lags     = {}", c.lags),
                 "what comes follows from so many last measurements and inputs");
  if (c.offset) text += line("offset   = true", "and from an unknown constant");
  text += "# If you know the plant, x_{t+1} = A x_t + B u_t + w_t, replace these lines by\n";
  text +=
      "# A = [[...], ...] and B = [[...], ...]; if you know some rows: identify = [2], the unknown "
      "ones.\n\n";
  return text;
}

std::string cost_text_of(const DraftChoices& c) {
  std::string text = fmt::format(
      "[cost]                             # Bryson's rule: 1 / (largest acceptable value)^2{}\n",
      c.scales_given ? "" : ", here the largest in the logs");
  text += line("Q = " + weights_of(c.state_scales), sizes_of(c.states, c.state_scales));
  text += line("R = " + weights_of(c.input_scales), sizes_of(c.inputs, c.input_scales));
  text += "# Half of an acceptable value makes a weight four times as large.\n\n";
  return text;
}

std::string limits_text(const DraftChoices& c) {
  std::vector<std::string> pairs;
  for (const double scale : c.input_scales) {
    const std::string size = short_number(scale);
    pairs.push_back("[-" + size + ", " + size + "]");
  }
  const std::string u = pairs.size() == 1 ? pairs[0] : "[" + join(pairs) + "]";
  return "# [limits]                         # what actuators can do, kept with a certified "
         "probability\n"
         "# u = " +
         u + "\n# " + (c.horizon ? "probability" : "each") + " = 0.05\n\n";
}

std::string data_text(const DraftChoices& c) {
  if (c.survey.own_names && !c.cut && !c.windows) return "";
  const DataLayout& layout = c.survey.layout;
  std::string text = "[data]                             # how the log files name things\n";
  if (!layout.axes.empty()) {
    std::vector<std::string> axes;
    for (const Axis axis : layout.axes)
      axes.push_back(quoted(axis_names()[static_cast<size_t>(axis)]));
    text += "axes    = [" + join(axes) + "]\n";
    text += fmt::format("variables = {{ x = {}, u = {} }}\n", quoted(layout.x_name),
                        quoted(layout.u_name));
  } else if (!c.survey.own_names) {
    text += line(fmt::format("layout  = {}", quoted(layout.long_rows ? "long" : "wide")),
                 layout.long_rows ? "a row for each step" : "a row for each episode");
    if (!layout.episode.name.empty())
      text += line("episode = " + quoted(column_text(layout.episode)),
                   "rows of one label are one episode");
    if (!layout.step.name.empty()) text += "step    = " + quoted(column_text(layout.step)) + "\n";
    if (!layout.time.name.empty())
      text += "time    = " + quoted(column_text(layout.time)) +
              "\nperiod  = " + number_text(layout.period) + "\n";
    text += line("states  = " + columns_of(c.states, c.state_zeros),
                 c.shifted ? "value - zero counts" : "");
    text += "inputs  = " + columns_of(c.inputs, c.input_zeros) + "\n";
  }
  if (layout.last_input && !layout.long_rows) text += "last_input = true\n";
  if (c.cut) text += line("longer  = \"first\"", "of longer episodes the first steps");
  if (c.windows) text += line("longer  = \"windows\"", "longer episodes in pieces");
  return text;
}

}  // namespace

std::string with_unit(double value, const std::string& unit) {
  return short_number(value) + (unit.empty() ? "" : " " + unit);
}

std::string toml_value(const nlohmann::json& value) {
  std::vector<std::string> parts;
  if (value.is_object()) {
    for (const auto& [key, item] : value.items()) parts.push_back(key + " = " + toml_value(item));
    return "{ " + join(parts) + " }";
  }
  if (value.is_array()) {
    for (const nlohmann::json& item : value) parts.push_back(toml_value(item));
    return "[" + join(parts) + "]";
  }
  return value.is_string() ? quoted(value.get<std::string>()) : value.dump();
}

std::string draft_text(const DraftChoices& c) {
  std::string text = head(c);
  text += "name    = " + quoted(c.name) + "\n";
  text += c.horizon ? line(fmt::format("horizon = {}", *c.horizon), "steps of an episode")
                    : line("horizon = \"infinite\"",
                           "a controller that runs for ever; its cost is that of a step");
  text += "\n" + system_text(c) + cost_text_of(c) + limits_text(c);
  if (!c.system.is_null())
    text +=
        "[learning]\nmethod = \"auto\"                    # LQR unless the data show something "
        "better\n\n";
  return text + data_text(c);
}

}  // namespace loopcert
