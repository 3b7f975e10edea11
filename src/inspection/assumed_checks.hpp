// Which checks of an inspection concern the assumptions that certificates list.
#pragma once

#include <string>
#include <vector>

#include "inspection/inspection.hpp"
#include "loopcert/certificate/record.hpp"

namespace loopcert {

struct AssumedCheck {
  std::string id;
  Check (*check)(const PreparedData&);
};

// For every assumption that one of them lists; nullptr stands for none.
std::vector<AssumedCheck> assumed_checks(const std::vector<const Certificate*>& certificates);

// Whether some check, or the check of the model, looks at this assumption. The others are about
// what was done (a prior, a controller fixed before), not about the data.
bool is_checked(const Statement& assumption);

// Rows of disturbances that look like the states themselves: x_{t+1} is about A x_t, inputs free.
bool looks_like_states(const Plant& plant, const Disturbances& data);
const std::string& states_sentence();

}  // namespace loopcert
