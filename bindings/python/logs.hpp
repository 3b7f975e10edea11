// Logged states and inputs as Python hands them over.
#pragma once

#include <optional>
#include <utility>

#include "bind.hpp"
#include "loopcert/data/disturbances.hpp"

namespace loopcert::python {

// Logged states and inputs, or None.
using Logs = std::optional<std::pair<Matrix, Matrix>>;

inline std::optional<Rollouts> rollouts_of(const Logs& logs) {
  return logs ? std::optional(Rollouts{logs->first, logs->second}) : std::nullopt;
}

}  // namespace loopcert::python
