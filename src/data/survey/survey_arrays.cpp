// Arrays of states and inputs: which axis is which follows from the sizes of both.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "data/axes.hpp"
#include "loopcert/core/error.hpp"
#include "survey/survey_parts.hpp"

namespace loopcert {
namespace {

struct ArraySizes {
  Index episodes = 1, steps = 0, components = 1;
};

ArraySizes sizes_in(const Array& array, const std::vector<Axis>& order) {
  ArraySizes sizes;
  for (size_t i = 0; i < order.size(); ++i)
    (order[i] == Axis::episode ? sizes.episodes
     : order[i] == Axis::step  ? sizes.steps
                               : sizes.components) = array.shape[i];
  return sizes;
}

struct ArrayReading {
  std::vector<Axis> order;
  ArraySizes x, u;
};

// As many episodes, and an input for each step: of all readings the one with the fewest signals.
std::optional<ArrayReading> read_arrays(const Array& x, const Array& u) {
  constexpr Axis E = Axis::episode, S = Axis::step, C = Axis::component;
  std::vector<std::vector<Axis>> orders = {{S, C}, {C, S}};
  if (x.shape.size() == 3)
    orders = {{E, S, C}, {S, E, C}, {S, C, E}, {C, S, E}, {E, C, S}, {C, E, S}};
  std::optional<ArrayReading> best;
  for (const std::vector<Axis>& order : orders) {
    const ArrayReading reading{order, sizes_in(x, order), sizes_in(u, order)};
    const bool fits =
        reading.x.episodes == reading.u.episodes && reading.x.steps >= 2 &&
        (reading.x.steps == reading.u.steps + 1 || reading.x.steps == reading.u.steps);
    if (fits && (!best || reading.x.components + reading.u.components <
                              best->x.components + best->u.components))
      best = reading;
  }
  return best;
}

void add_components(LogSurvey& survey, const Array& array, const ArrayReading& reading,
                    const std::string& role) {
  const bool state = role == "state";
  const ArraySizes& sizes = state ? reading.x : reading.u;
  const Episodes episodes =
      episodes_from_array(array, reading.order,
                          Quantity{state ? "x" : "u", sizes.steps, sizes.components, false, false});
  for (Index i = 0; i < sizes.components; ++i) {
    SurveyedSignal signal;
    signal.name = fmt::format("{}{}", state ? "x" : "u", i);
    signal.role = role;
    std::vector<double> values;
    for (const Matrix& episode : episodes)
      values.insert(values.end(), episode.col(i).begin(), episode.col(i).end());
    count_numbers(signal, values);
    survey.signals.push_back(signal);
  }
}

}  // namespace

LogSurvey survey_arrays(const Array& x, const Array& u) {
  const auto one_axis = [](const Array& array) {
    Array column = array;
    if (column.shape.size() == 1) column.shape.push_back(1);
    return column;
  };
  const Array states = one_axis(x), inputs = one_axis(u);
  const std::optional<ArrayReading> reading =
      states.shape.size() == inputs.shape.size() ? read_arrays(states, inputs) : std::nullopt;
  if (!reading)
    throw_input_error(
        "shape", shape_text(x.shape) + " states and " + shape_text(u.shape) + " inputs",
        "as many episodes, and an input for each step (episodes x steps x components)");
  LogSurvey survey;
  add_components(survey, states, *reading, "state");
  add_components(survey, inputs, *reading, "input");
  survey.layout.axes = reading->order;
  survey.layout.last_input = reading->x.steps == reading->u.steps;
  survey.lengths.assign(static_cast<size_t>(reading->x.episodes), reading->x.steps - 1);
  return survey;
}

}  // namespace loopcert
