// Which entries of A and B disagree with the logs, and which mistakes would explain it.
#pragma once

#include <string>
#include <vector>

#include "input_responses.hpp"
#include "inspection/model_check.hpp"

namespace loopcert {

// Above this p-value a changed model agrees with the logs.
inline constexpr double agrees_above = 0.01;

// B as the logs have it: exact whatever A is, because given the past x_t is known.
struct FittedInputs {
  Matrix change, error;  // n_x x n_u; standard errors clustered by episode
};
FittedInputs fit_inputs(const InputResponses& responses);

// For a plant that does not vary in time. `fit` is that of its B.
std::vector<ModelCheck::Entry> disagreeing_entries(const Plant& plant, const Rollouts& logs,
                                                   const FittedInputs& fit, bool only_inputs);
std::string likely_cause(const Problem& problem, const Rollouts& logs, const FittedInputs& fit);

}  // namespace loopcert
