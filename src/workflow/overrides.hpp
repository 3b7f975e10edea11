// What a caller says about learning in place of the problem file.
#pragma once

#include <optional>
#include <string>

#include "loopcert/problem/problem.hpp"

namespace loopcert {

struct LearningOverrides {
  std::optional<std::string> method, certificate;
  std::optional<std::optional<double>> gamma;  // nullopt inside: by cross-validation
  std::optional<std::string> posterior = {};   // a posterior family
};

// Method auto without a certificate asks for the best one; a table of deltas that belongs to
// another certificate counts by its sum. Throws InputError on a name that does not exist, on a
// certificate that the method does not give, and on a gamma or a posterior family for a method that
// has none. Messages call them `prefix` + "method", "certificate", "gamma", "posterior".
void override_learning(Problem& problem, const LearningOverrides& overrides,
                       const std::string& prefix = "");

}  // namespace loopcert
