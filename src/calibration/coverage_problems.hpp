// The problems of the built-in coverage plan, as the trees that problem files are.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "loopcert/core/types.hpp"

namespace loopcert {

// A JSON merge patch laid over a tree.
nlohmann::json with_patch(nlohmann::json tree, const nlohmann::json& patch);

struct CoverageProblem {
  nlohmann::json
      tree;           // every assumption that is true of its law, so that kinds find what they need
  std::string shape;  // of coverage_shapes()
  // Sizes of the data sets by family.
  std::vector<Index> learn, fixed, posterior;
};

const std::vector<CoverageProblem>& coverage_problems();

// By the name in its tree.
const CoverageProblem& coverage_problem(const std::string& name);

// Its tree with a JSON merge patch laid over it; null changes nothing.
nlohmann::json patched_problem(const std::string& name, const nlohmann::json& patch);

}  // namespace loopcert
