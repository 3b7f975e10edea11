// Where the expected cost comes from: which signal, at which step.
#pragma once

#include "data/moments.hpp"
#include "loopcert/system/cost.hpp"
#include "response/response.hpp"

namespace loopcert {

// E[e_i (Q_t e)_i] and E[u_j (R_t u)_j], e = x - r: they add up to response_risk().
struct CostParts {
  Matrix states;  // n_x x (T+1)
  Matrix inputs;  // n_u x T
};

CostParts cost_parts(const System& system, const Response& response, const Moments& moments);

}  // namespace loopcert
