// What is likely wrong with a plant that a person wrote down. Heuristics: they go into warnings and
// behind messages of something that failed, and refuse nothing.
#pragma once

#include <string>

#include "loopcert/core/error.hpp"
#include "loopcert/system/plant.hpp"

namespace loopcert {

// "A has the eigenvalue …: likely a matrix of continuous time, …", or "". Sampled systems have
// eigenvalues exp(lambda dt): near 1, and hardly ever left of the imaginary axis.
std::string continuous_time_doubt(const Plant& plant);

// The same, or how much an unstable plant grows over its horizon, or "".
std::string likely_mistake(const Plant& plant);

// Runs `action`; a NumericsError leaving it gets behind it what is likely wrong with the plant.
template <class Action>
auto with_likely_mistake(const Plant& plant, Action&& action) -> decltype(action()) {
  try {
    return action();
  } catch (const NumericsError& error) {
    const std::string mistake = likely_mistake(plant);
    if (mistake.empty()) throw;
    throw NumericsError(std::string(error.what()) + "; " + mistake);
  }
}

}  // namespace loopcert
