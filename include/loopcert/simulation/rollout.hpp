// Closed-loop rollouts of plant and controller, step by step as they would run.
#pragma once

#include "loopcert/controller/controller.hpp"
#include "loopcert/core/types.hpp"
#include "loopcert/data/disturbances.hpp"
#include "loopcert/system/cost.hpp"

namespace loopcert {

struct Simulation {
  Vector cost;     // n: finite-horizon cost of each trajectory
  Rollouts paths;  // states and inputs, filled only when asked for
};

Simulation simulate(const System& system, const Controller& controller, const Disturbances& data,
                    bool keep_paths, int threads = 1);

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
