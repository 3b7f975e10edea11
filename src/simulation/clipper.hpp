// Inputs of a batch of trajectories saturated, and limits looked at: one trajectory to a row.
#pragma once

#include "loopcert/simulation/rollout.hpp"

namespace loopcert {

// Saturates the inputs of one step and counts. What was changed so far is kept where a controller
// remembers its inputs.
class Clipper {
 public:
  Clipper(const SimulationOptions& options, Index m, Index n_u, Index T);
  void step(Index t, Matrix& U);        // U: m x T n_u
  Matrix& counts() { return counts_; }  // m x n_u

 private:
  const Matrix &clip_, &replies_;
  Matrix counts_, changes_;
};

// Steps at which rows are violated, m x rows.
Matrix count_violations(const Limits& limits, const Sizes& sizes, const Matrix& X, const Matrix& U);

}  // namespace loopcert
