#include "problem/problem_json.hpp"
#include "sweeps/reproduction.hpp"

namespace loopcert {

Problem paper_problem(bool coloured) {
  nlohmann::json tree = {
      {"name", coloured ? "double integrator, AR(1) noise" : "double integrator"},
      {"horizon", 10},
      {"system", {{"A", {{1, 1}, {0, 1}}}, {"B", {{0.5}, {1}}}}},
      {"cost", {{"Q", {1, 0.1}}, {"R", {0.5}}, {"P", {2, 0.2}}}},
      {"certificate", {{"delta", {{"pac_bayes", 0.025}, {"covariance", 0.025}}}}}};
  tree["disturbance"] = {{"scale_bound", 0.1}, {"covariance", 0.1}};
  if (coloured)  // the largest eigenvalue of this covariance is 0.5502
    tree["disturbance"] = {{"scale_bound", 0.5502},
                           {"covariance", {{"ar1", 0.8}, {"variance", 0.1}}}};
  return problem_from_json(tree);
}

Sweep paper_sweep(Index seeds) {
  Sweep sweep;
  sweep.name = "the paper's tables";
  sweep.problems = {paper_problem(false), paper_problem(true)};
  sweep.n = {10, 20, 40, 100, 400};
  sweep.methods = {{"raw ERM", "erm", {}},
                   {"ridge ERM", "ridge", std::optional<double>(0.01)},
                   {"data PB", "pac-bayes", {}},
                   {"oracle PB", "oracle-pac-bayes", {}},
                   {"LQR", "lqr", {}},
                   {"minimum norm", "start", {}},
                   {"ridge CV", "ridge", std::optional<double>()}};
  for (Index seed = 0; seed < seeds; ++seed)
    sweep.seeds.push_back(static_cast<std::uint64_t>(seed));
  sweep.test = 5000;
  return sweep;
}

}  // namespace loopcert
