// Closed-loop rollouts of plant and controller, step by step as they would run.
#pragma once

#include <optional>

#include "loopcert/controller/controller.hpp"
#include "loopcert/core/types.hpp"
#include "loopcert/data/disturbances.hpp"
#include "loopcert/system/cost.hpp"
#include "loopcert/system/limits.hpp"

namespace loopcert {

struct Simulation {
  Vector cost;           // n: finite-horizon cost of each trajectory
  Rollouts paths;        // states and inputs, filled only when asked for
  Matrix clipped = {};   // n x n_u: steps at which the input was clipped; filled with `clip`
  Matrix violated = {};  // n x rows: steps at which the row was violated; filled with `limits`
};

struct SimulationOptions {
  bool keep_paths = false;
  int threads = 1;
  Matrix clip = {};  // n_u x 2: every input is saturated after it is computed; empty: none is
  // The part of later inputs that depends on what clipping changed, for a controller that remembers
  // its inputs (replies_to_clipping); empty: none, as where states alone are remembered.
  Matrix replies = {};
  const Limits* limits = nullptr;  // rows to look at
};

Simulation simulate(const System& system, const Controller& controller, const Disturbances& data,
                    const SimulationOptions& options);
Simulation simulate(const System& system, const Controller& controller, const Disturbances& data,
                    bool keep_paths, int threads = 1, const Matrix& clip = {});

// What to clip to: the limits on inputs that the problem states, else the controller's own. Throws
// InputError when neither has any.
Matrix clip_of(const std::optional<Limits>& limits, const Controller& controller);

// Shares of trajectories and of steps, from counts of steps: n x (inputs or rows).
double share_of_episodes(const MatrixView& counts);             // with any
Vector shares_of_episodes(const MatrixView& counts);            // each column
Vector shares_of_steps(const MatrixView& counts, Index steps);  // each column

struct CostStatistics {
  Index n = 0;
  double mean = 0;
  double standard_deviation = 0;  // of one trajectory, with 1/(n-1); 0 when n = 1
  double standard_error = 0;      // of the mean
  double median = 0;
  double minimum = 0;
  double maximum = 0;
};

CostStatistics cost_statistics(const VectorView& cost);
// The same; throws NumericsError when some cost is not a finite number.
CostStatistics finite_statistics(const VectorView& cost);

}  // namespace loopcert
