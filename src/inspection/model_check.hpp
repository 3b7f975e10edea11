// The model of the problem file against logged states and inputs: does the plant answer its inputs
// as A and B say? A diagnostic that keeps its level whatever the colour of the disturbances.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "loopcert/core/types.hpp"
#include "loopcert/data/disturbances.hpp"
#include "loopcert/problem/problem.hpp"

namespace loopcert {

struct ModelCheck {
  bool tested = false;  // false: too few episodes, or inputs that the states explain entirely
  double p_value = 1;   // how often a right model looks at least this wrong
  bool contradicted_at(double level) const;

  Index state = 0, input = 0, lag = 0;  // where it shows most: an input `lag` steps before
  double gain = 0;  // part of the one-step error of that state, as a variance given the past, that
                    // the inputs explain on episodes which the fit has not seen
  // What disagrees, when something does.
  struct Entry {
    std::string name;                        // "B[1,0]"
    double file = 0, fitted = 0, error = 0;  // standard error, clustered by episode
  };
  std::vector<Entry> entries;
  std::string cause;  // a change of model or log that would agree: "…"; empty: none is known
};

// Smaller contradictions are not reported, however sure they are.
inline constexpr double smallest_gain = 0.005;

// `level`: below this p-value look for entries and causes, which takes longer.
ModelCheck check_model(const Problem& problem, const Rollouts& logs, double level);

// What was found, in one line, of a check that contradicts.
std::string model_warning(const ModelCheck& check, const Problem& problem);

}  // namespace loopcert
