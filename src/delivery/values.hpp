// Values of a record that may lack them or hold something else in their place.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "loopcert/core/types.hpp"

namespace loopcert {

inline std::optional<double> number_at(const nlohmann::json& tree, const char* key) {
  if (!tree.is_object() || !tree.contains(key) || !tree[key].is_number()) return std::nullopt;
  return tree[key].get<double>();
}

// A count that is none is shown as 0.
inline Index count_at(const nlohmann::json& tree, const char* key) {
  const double value = number_at(tree, key).value_or(0);
  return value >= 0 && value <= 1e15 ? static_cast<Index>(value) : 0;
}

inline std::string text_at(const nlohmann::json& tree, const char* key) {
  return tree.is_object() && tree.contains(key) && tree[key].is_string()
             ? tree[key].get<std::string>()
             : std::string();
}

}  // namespace loopcert
