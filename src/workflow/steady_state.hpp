// The input that holds a constant reference (docs/theory/reference.md).
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "loopcert/system/cost.hpp"

namespace loopcert {

struct SteadyState {
  Vector input;     // n_u: of least squares, of smallest norm
  Vector residual;  // n_x: the change of each state in a step that no input removes

  bool holds() const;  // but for rounding
};

// Nothing without a constant reference, or when the plant or its cost varies in time; of outputs,
// where the plant is A, B and C and some input holds it.
std::optional<SteadyState> steady_state(const System& system);

std::string steady_state_text(const SteadyState& found);
void add_steady_state(nlohmann::json& record, const std::optional<SteadyState>& found);

}  // namespace loopcert
