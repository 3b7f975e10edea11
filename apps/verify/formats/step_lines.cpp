// A log that comes in step by step, as `loopcert watch --steps` takes it.
#include <charconv>
#include <cmath>
#include <sstream>

#include "formats/logs.hpp"

namespace verify {
namespace {

using Words = std::vector<std::string>;

std::string inner(const std::string& text) {  // without blanks and quotes around it
  const size_t first = text.find_first_not_of(" \t\r\"");
  if (first == text.npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r\"") - first + 1);
}

// Between ',', ';' or tabs; without any of them between blanks.
Words words_of(const std::string& line) {
  const bool signs = line.find_first_of(",;\t") != line.npos;
  Words words(1);
  for (const char c : line)
    if (signs ? c == ',' || c == ';' || c == '\t' : c == ' ')
      words.emplace_back();
    else
      words.back() += c;
  for (std::string& text : words) text = inner(text);
  if (!signs) std::erase(words, "");
  return words;
}

std::optional<double> step_number(std::string text) {
  if (text.starts_with('+')) text.erase(0, 1);
  double value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || rest != text.data() + text.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

struct StepPlaces {
  std::vector<size_t> of;       // measured, then inputs
  std::vector<Column> columns;  // their factors and zeros
  std::optional<size_t> episode, step;
};

std::optional<size_t> place_in(const Words& names, const std::string& name) {
  for (size_t i = 0; i < names.size(); ++i)
    if (names[i] == name || without_unit(names[i]) == name) return i;
  return std::nullopt;
}

void add_places(StepPlaces& places, const Words& names, const std::vector<Column>& wanted,
                long count, const std::string& symbols) {
  for (long i = 0; i < count; ++i) {
    std::optional<size_t> place;
    if (!wanted.empty()) place = place_in(names, wanted[static_cast<size_t>(i)].name);
    for (const char symbol : symbols)
      if (wanted.empty() && !place) place = place_in(names, symbol + std::to_string(i));
    if (!place) bad("names of columns", "none for one of them", "all that the problem has");
    places.of.push_back(*place);
    places.columns.push_back(wanted.empty() ? Column{} : wanted[static_cast<size_t>(i)]);
  }
}

StepPlaces places_of(const Words& names, const Problem& p) {
  StepPlaces places;
  const bool numbers = std::all_of(names.begin(), names.end(), [](const std::string& text) {
    return text.empty() || step_number(text);
  });
  if (numbers) {  // in this order
    for (long i = 0; i < p.n_x + p.n_u; ++i) places.of.push_back(static_cast<size_t>(i));
    places.columns.resize(places.of.size());
    return places;
  }
  const json data = p.tree.value("data", json::object());
  add_places(places, names, listed(p, data.contains("outputs") ? "outputs" : "states", p.n_x),
             p.n_x, "xy");
  add_places(places, names, listed(p, "inputs", p.n_u), p.n_u, "u");
  if (data.contains("episode")) places.episode = place_in(names, column_of(data["episode"]).name);
  if (data.contains("step")) places.step = place_in(names, column_of(data["step"]).name);
  return places;
}

// A row at the end of a run.
void add_row(Log& run, const Words& words, const StepPlaces& places, long n_x, bool inputs) {
  for (size_t i = 0; i < places.of.size(); ++i) {
    const bool measured = i < static_cast<size_t>(n_x);
    if (!measured && !inputs) continue;
    const auto value =
        places.of[i] < words.size() ? step_number(words[places.of[i]]) : std::nullopt;
    if (!value) bad("steps", "a row with something else", "numbers");
    (measured ? run.y : run.u).values.push_back(places.columns[i].value(*value));
  }
  ++run.y.rows;
  run.u.rows += inputs ? 1 : 0;
}

}  // namespace

Logs read_steps(const std::filesystem::path& file, const Problem& p) {
  std::istringstream lines(read_bytes(file));
  Logs runs;
  std::optional<StepPlaces> places;
  bool begin = true;
  std::string episode;
  std::optional<double> step;
  for (std::string line; std::getline(lines, line);) {
    if (inner(line).empty()) begin = true;
    if (inner(line).empty() || inner(line)[0] == '#') continue;
    const Words words = words_of(line);
    if (!places) {
      places = places_of(words, p);
      if (!step_number(words[places->of[0]])) continue;  // these were names
    }
    const auto word_at = [&](const std::optional<size_t>& place) {
      return place && *place < words.size() ? words[*place] : std::string();
    };
    const std::string of = word_at(places->episode);
    const std::optional<double> now = places->step ? step_number(word_at(places->step)) : step;
    const bool jumps = places->step && now && step && *now != *step + 1;
    if (begin || of != episode || jumps) runs.push_back({{0, p.n_x, {}}, {0, p.n_u, {}}});
    episode = of;
    step = now;
    const bool inputs = p.n_u == 0 || !word_at(places->of[static_cast<size_t>(p.n_x)]).empty();
    add_row(runs.back(), words, *places, p.n_x, inputs);
    begin = !inputs;
  }
  return runs;
}

}  // namespace verify
