// Smooth minimization behind one interface: limited-memory BFGS with a weak Wolfe line search.
// Deterministic: the same problem and start give the same bits. docs/dependencies.md says which
// libraries were measured against it and lost.
#pragma once

#include <functional>
#include <string>

#include "learning/vectors.hpp"

namespace loopcert {

// Value and gradient at x, wherever the vectors are held. May return a non-finite value where the
// function is not defined: the line search steps back.
using Objective = std::function<double(const HeldVector& x, HeldVector& gradient)>;

enum class SolverStatus { converged, iteration_limit, stalled, interrupted };
std::string solver_status_name(SolverStatus status);

struct IterationReport {
  int iteration = 0;
  double value = 0;
  double gradient_norm = 0;  // relative: ||g|| / max(1, |value|)
};

struct OptimizerOptions {
  double gradient_tolerance = 1e-6;  // on the relative gradient norm
  int max_iterations = 2000;
  int memory = 12;
  // Called after each iteration; returning false stops with the best point so far.
  std::function<bool(const IterationReport&)> on_iteration;
};

struct Ending {
  double value = 0;
  double gradient_norm = 0;  // relative
  int iterations = 0;
  int evaluations = 0;
  SolverStatus status = SolverStatus::stalled;
};

// From `x` (of this size) to the minimum, which replaces it.
Ending minimize(const Objective& objective, Index size, Held& x, Vectors& vectors,
                const OptimizerOptions& options);

// The same for a function of vectors in this computer's memory.
struct Minimum : Ending {
  Vector x;
};
using HostObjective = std::function<double(const Vector& x, Vector& gradient)>;
Minimum minimize(const HostObjective& objective, const Vector& start,
                 const OptimizerOptions& options);

}  // namespace loopcert
