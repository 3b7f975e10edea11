#include "problem/plant_forms/plant_form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/check.hpp"
#include "loopcert/core/error.hpp"
#include "problem/arrays.hpp"

namespace loopcert {

#define ADD(key, maker) PlantForm maker();
#include "problem/plant_forms/plant_forms.inc"

namespace {

constexpr double longest_delay = 100'000;

// Numbers as doubles, so that 1 and 1.0 are one thing.
nlohmann::json plain(const nlohmann::json& value) {
  if (value.is_number()) return value.get<double>();
  if (!value.is_structured()) return value;
  nlohmann::json copy = value;
  for (nlohmann::json& item : copy) item = plain(item);
  return copy;
}

}  // namespace

std::vector<Matrix> parameters_of(const Node& node) {
  if (!node.value->is_array()) refuse(node, "a list of numbers, or of matrices");
  std::vector<Matrix> list;
  if (list_depth(node) == 1) {
    for (const double value : vector_of(node)) list.push_back(Matrix::Constant(1, 1, value));
    return list;
  }
  if (list_depth(node) != 3) refuse(node, "a list of numbers, or of matrices n_y x n_u");
  for (const Node& item : items(node, "a list of matrices")) list.push_back(matrix_of(item));
  check_list(node, list, list[0].rows(), list[0].cols());
  return list;
}

void check_list(const Node& node, const std::vector<Matrix>& list, Index rows, Index cols) {
  for (size_t t = 0; t < list.size(); ++t)
    check_size(list.size() == 1 ? node.path : fmt::format("{}[{}]", node.path, t), list[t], rows,
               cols);
}

Index whole_delay(const Table& system) {
  const auto node = system.find("delay");
  if (!node) return 0;
  const double delay = number(*node);  // records have 2.0 for 2
  if (!(delay >= 0 && delay <= longest_delay) || delay != std::floor(delay))
    refuse(*node, fmt::format("a whole number of steps, at most {}", longest_delay));
  return static_cast<Index>(delay);
}

std::optional<double> sampling_time(const Table& system) {
  const auto continuous = system.find("continuous"), dt = system.find("dt");
  const bool is_continuous = continuous && boolean(*continuous);
  if (is_continuous) return positive_number(system.need("dt", "the time between two samples"));
  if (dt) throw InputError(dt->path + ": only together with system.continuous = true");
  return std::nullopt;
}

std::optional<ChosenForm> form_of(const Table& system) {
  static const std::vector<std::pair<std::string, PlantForm>> forms = {
#define ADD(key, maker) {key, maker()},
#include "problem/plant_forms/plant_forms.inc"
  };
  for (const auto& [key, form] : forms) {
    if (!system.find(key)) continue;
    for (const char* other : {"A", "B", "C", "d", "delay", "impulse", "step", "transfer", "G",
                              "continuous", "dt", "identify", "states", "inputs", "lags", "offset"})
      if (system.find(other) &&
          std::find(form.keys.begin(), form.keys.end(), other) == form.keys.end())
        throw InputError(fmt::format("system.{}: does not go together with system.{}", other, key));
    return ChosenForm{form, key};
  }
  return std::nullopt;
}

std::string form_text(const nlohmann::json& system) { return plain(system).dump(); }

}  // namespace loopcert
