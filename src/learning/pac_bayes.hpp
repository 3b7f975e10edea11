// Learning by minimizing a certificate over posteriors N(Z, diag V), or with these variances in a
// frame.
#pragma once

#include <functional>
#include <optional>

#include "learning/backend.hpp"
#include "learning/optimizer.hpp"

namespace loopcert {

// One line of the table on the terminal.
struct LearningStep {
  int iteration = 0;
  double empirical = 0;
  double kl = 0;
  double bound = 0;
  double gradient_norm = 0;
};

struct PacBayesOptions {
  double gradient_tolerance = 1e-5;  // of the bound in units of its start value
  int max_iterations = 2000;
  SharedFrame frame = nullptr;  // null: diagonal posteriors
  Backend* backend = nullptr;   // the processor with one thread; the caller keeps it alive
  std::function<bool(const LearningStep&)> on_step = {};  // false stops with the best posterior
};

struct PacBayesResult {
  Posterior posterior;
  BoundValue bound;  // at that posterior: valid however the optimizer ended
  double gradient_norm = 0;
  int iterations = 0;
  int evaluations = 0;
  SolverStatus status = SolverStatus::stalled;
};

// argmin over (Z, V) of the bound, from the prior's centre, or from `warm_start` where the bound is
// smaller than there. A bound with a negative spread weight (the oracle's) has two basins, and the
// smaller of the minima from a narrow and from the prior's own variance is kept. Neighbouring
// bounds: path.hpp.
PacBayesResult minimize_bound(const QuadraticForm& form, const BoundInputs& inputs,
                              const Prior& prior, const PacBayesOptions& options = {},
                              const Posterior* warm_start = nullptr);

// The descent from one posterior: its end is a local minimum, not always the smallest.
PacBayesResult minimize_from(const QuadraticForm& form, const BoundInputs& inputs,
                             const Prior& prior, const Posterior& start,
                             const PacBayesOptions& options = {});

// The global check: for a fixed lambda the quadratic bound without a mean term and without a
// negative spread weight is jointly convex in (Z, sqrt V), so the smallest value over a search of
// lambda is its global minimum. Other bounds are refused.
struct GlobalCheck {
  double value = 0;
  double lambda = 0;
  Posterior posterior;
};
GlobalCheck global_minimum(const QuadraticForm& form, const BoundInputs& inputs, const Prior& prior,
                           const PacBayesOptions& options = {});

}  // namespace loopcert
