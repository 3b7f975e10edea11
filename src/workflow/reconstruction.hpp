// Disturbances from logged episodes, with how well the model explains them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "inspection/warnings.hpp"
#include "loopcert/data/residual.hpp"
#include "loopcert/problem/problem.hpp"

namespace loopcert {

struct ReconstructionNotes {
  std::vector<std::string> components;       // of the state, as the problem names them
  std::vector<ComponentResidual> residuals;  // in the same order
  std::vector<std::string> warnings;         // sentences for a person
};

struct Reconstruction {
  Disturbances data;
  ReconstructionNotes notes;
};

// Throws InputError when the sizes are not those of the problem.
Reconstruction reconstruct(const Problem& problem, const Rollouts& rollouts);

// Its warnings, in front of others.
void add_notes(std::vector<Warning>& warnings, const ReconstructionNotes& notes);

// The `reconstruction` of run.json and inspection.json.
nlohmann::json residuals_to_json(const ReconstructionNotes& notes);

}  // namespace loopcert
