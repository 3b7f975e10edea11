// The paper's data-driven bound, ready to be minimized, for its double integrator or a plant of any
// size: white disturbances of variance 0.1, the same scale bound, delta = 0.025 for each event.
#pragma once

#include "certificate/kinds.hpp"
#include "certificate/premises.hpp"
#include "random_problem.hpp"
#include "response/space.hpp"

namespace loopcert::bench {

inline constexpr double variance = 0.1;

// The caller keeps it where it is: evaluators refer to its parts.
struct LearningProblem {
  Sizes sizes;
  ResponseSpace space;
  BoundInputs inputs;
  Prior prior;
};

inline System double_integrator() {
  System system;
  system.plant = {10, {Matrix{{1, 1}, {0, 1}}}, {Matrix{{0.5}, {1}}}, {}};
  system.cost = {{Vector{{1, 0.1}}.asDiagonal()}, {Matrix{{0.5}}}, Vector{{2, 0.2}}.asDiagonal()};
  return system;
}

inline LearningProblem learning_problem(const System& system, Index n, std::uint64_t seed) {
  LearningProblem problem;
  problem.sizes = system.plant.sizes();
  problem.space = make_response_space(system, {});
  const Index d_w = problem.sizes.d_w();
  const Law law{Vector::Zero(d_w), variance * Matrix::Identity(d_w, d_w)};
  const Evidence evidence = evidence_of(sample_disturbances(law, {seed, 4}, n));
  Assumptions assumptions;
  assumptions.scale_bound = variance;
  const Deltas delta{{"pac_bayes", 0.025}, {"covariance", 0.025}};
  problem.inputs = posterior_kind("data-driven")
                       .setup({system, problem.space, assumptions, evidence, delta})
                       .inputs;
  problem.prior = {Matrix::Zero(problem.sizes.d_u(), d_w), 1.0};
  return problem;
}

}  // namespace loopcert::bench
