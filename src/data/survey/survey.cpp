// All files of a survey as one.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/file.hpp"
#include "core/text.hpp"
#include "data/formats.hpp"
#include "excerpt.hpp"
#include "loopcert/core/error.hpp"
#include "survey/survey_parts.hpp"

namespace loopcert {
namespace {

namespace fs = std::filesystem;

// States and inputs in one file, by name, or a file of states and one of inputs.
LogSurvey survey_array_files(const Paths& paths, size_t& at, const SurveyHints& hints) {
  const fs::path& path = paths[at];
  const ArrayFormat& format = format_of(path);
  if (hints.states.size() > 1 || hints.inputs.size() > 1)
    throw_input_error(path.string(), "several names", "one array of states and one of inputs");
  if (!format.read_named) {
    if (++at == paths.size())
      throw InputError(path.string() + ": states alone, with no file of inputs after it");
    const fs::path& inputs = paths[at];
    return at_place(inputs.string(),
                    [&] { return survey_arrays(format.read(path), read_array(inputs)); });
  }
  const std::string x = hints.states.empty() ? "x" : hints.states[0];
  const std::string u = hints.inputs.empty() ? "u" : hints.inputs[0];
  const NamedArrays arrays = format.read_named(path, {x, u});
  for (const std::string& name : {x, u})
    if (!arrays.contains(name))
      throw InputError(path.string() + ": " + missing_variables_text({name}, {x == name ? u : x}));
  LogSurvey survey =
      at_place(path.string(), [&] { return survey_arrays(arrays.at(x), arrays.at(u)); });
  survey.layout.x_name = x;
  survey.layout.u_name = u;
  return survey;
}

// More of the same signal.
void add_numbers(SurveyedSignal& all, const SurveyedSignal& more) {
  all.texts += more.texts;
  all.empty += more.empty;
  if (more.count == 0) return;
  if (all.count == 0) {
    const Index texts = all.texts, empty = all.empty;
    all = more;
    all.texts = texts;
    all.empty = empty;
    return;
  }
  const auto n = static_cast<double>(all.count), m = static_cast<double>(more.count);
  const double apart = more.mean - all.mean, share = m / (n + m);
  all.deviation =
      std::sqrt((1 - share) * all.deviation * all.deviation +
                share * more.deviation * more.deviation + share * (1 - share) * apart * apart);
  all.mean += share * apart;
  all.least = std::min(all.least, more.least);
  all.largest = std::max(all.largest, more.largest);
  all.whole = all.whole && more.whole;
  all.count += more.count;
}

void append(LogSurvey& all, const LogSurvey& more, const fs::path& path) {
  const auto name = [](const SurveyedSignal& s) { return column_text({s.name, s.unit}); };
  for (const SurveyedSignal& signal : all.signals)
    if (std::none_of(more.signals.begin(), more.signals.end(),
                     [&](const SurveyedSignal& s) { return name(s) == name(signal); }))
      throw_input_error(path.string(), "no " + excerpt(name(signal)),
                        "the columns of the file before");
  if (!(more.layout == all.layout))
    throw_input_error(path.string(), "another layout, sampling time or clock",
                      "those of the file before (or a problem file for each)");
  for (SurveyedSignal& signal : all.signals)
    for (const SurveyedSignal& other : more.signals)
      if (name(other) == name(signal)) add_numbers(signal, other);
  all.lengths.insert(all.lengths.end(), more.lengths.begin(), more.lengths.end());
}

}  // namespace

void count_numbers(SurveyedSignal& signal, std::span<const double> values) {
  signal.whole = true;
  double squares = 0;
  for (const double value : values) {
    if (std::isnan(value)) continue;
    signal.least = signal.count == 0 ? value : std::min(signal.least, value);
    signal.largest = signal.count == 0 ? value : std::max(signal.largest, value);
    signal.whole = signal.whole && value == std::floor(value);
    const double before = value - signal.mean;
    signal.mean += before / static_cast<double>(++signal.count);
    squares += before * (value - signal.mean);
  }
  signal.whole = signal.whole && signal.count > 0;
  if (signal.count > 0) signal.deviation = std::sqrt(squares / static_cast<double>(signal.count));
}

double SurveyedSignal::size() const { return std::max(std::abs(least), std::abs(largest)); }

Index LogSurvey::shortest() const { return *std::min_element(lengths.begin(), lengths.end()); }
Index LogSurvey::longest() const { return *std::max_element(lengths.begin(), lengths.end()); }

const SurveyedSignal& LogSurvey::find(const std::string& name) const {
  std::vector<std::string> known;
  for (const SurveyedSignal& signal : signals) {
    if (name == signal.name || name == column_text({signal.name, signal.unit})) return signal;
    known.push_back(signal.name);
  }
  throw_input_error("columns", "no " + excerpt(name),
                    "one of " + join(known) + did_you_mean(name, known));
}

LogSurvey survey_logs(const Paths& paths, const SurveyHints& hints) {
  if (paths.empty()) throw_input_error("logs", "no file", "at least one");
  LogSurvey all;
  SurveyHints known = hints;
  for (size_t i = 0; i < paths.size(); ++i) {
    const fs::path& path = paths[i];
    const bool first = i == 0;
    LogSurvey survey;
    if (lower_extension(path) == ".csv") {
      const std::string text = read_file(path, largest_file);
      survey = at_place(path.string(), [&] { return survey_table(text, known); });
    } else {
      survey = survey_array_files(paths, i, hints);
    }
    if (first) {
      all = survey;
      // What was found in the first file holds for all.
      if (all.layout.long_rows) known.time = all.layout.step.name + all.layout.time.name;
      if (!all.layout.episode.name.empty()) known.episode = all.layout.episode.name;
      continue;
    }
    // Labels that change in a later file alone.
    if (known.episode.empty() && !survey.layout.episode.name.empty()) {
      known.episode = survey.layout.episode.name;
      known.time = hints.time;
      return survey_logs(paths, known);
    }
    // A file may be too short to show its clock's step exactly.
    survey.layout.period =
        std::abs(survey.layout.period - all.layout.period) < 1e-3 * all.layout.period
            ? all.layout.period
            : survey.layout.period;
    append(all, survey, path);
  }
  return all;
}

}  // namespace loopcert
