// What certificates take of a problem.
#pragma once

#include <string>
#include <vector>

#include "certificate/kinds.hpp"
#include "certificate/premises.hpp"
#include "loopcert/problem/problem.hpp"
#include "response/response.hpp"

namespace loopcert {

// Evidence of n = 0 for certificates that use no data.
Evidence evidence_if_any(const Disturbances& data);
Deltas deltas_of(const Problem& problem, const std::vector<std::string>& events);

// The total of the problem's delta.
double total_delta(const Problem& problem);

// What improvements are compared with: the controller that runs today, or LQR where the problem
// names none.
Response baseline_response(const Problem& problem);

// Throws InputError when the file states a covariance that `autoregressive` contradicts.
void check_stated_colour(const Problem& problem);

}  // namespace loopcert
