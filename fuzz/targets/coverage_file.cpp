#include <nlohmann/json.hpp>

#include "../fixture.hpp"
#include "../targets.hpp"
#include "calibration/coverage_plan.hpp"
#include "problem/problem_json.hpp"
#include "problem/tree_file.hpp"

namespace loopcert::fuzz {

void coverage_file(Bytes bytes) {
  scratch_file("problem.json", problem_to_json(small_problem("pac-bayes", "data-driven")).dump());
  const auto path = scratch_file(bytes.starts_with('{') ? "cells.json" : "cells.toml", bytes);
  nlohmann::json tree;
  if (!accepted([&] { tree = read_tree(path); }) || has_large_problem(tree)) return;
  accepted([&] { read_coverage_plan(path); });
}

}  // namespace loopcert::fuzz
