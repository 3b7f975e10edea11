// Learning around LQR: minimize the risk under a moment that is shrunk towards white noise,
//   Sigma_g = (1 - g) Sigma_hat + g W,   W = 0.99 Sigma_hat on the blocks of a step + 0.01 of its
//   diagonal.
// At g = 1 the steps are uncorrelated with mean zero and the minimizer is LQR; at g = 0 it is ERM.
// W transforms as the data do: no unit of a state matters. The diagonal makes it definite where
// forces do not reach every state.
// With a constant column the covariance is shrunk and the mean is kept.
// Every g costs one causal factorization.
#pragma once

#include <functional>
#include <vector>

#include "data/shrunk_moment.hpp"
#include "loopcert/core/types.hpp"
#include "loopcert/data/disturbances.hpp"
#include "response/quadratic_form.hpp"

namespace loopcert {

// White noise with mean zero of the same size: its minimizer is LQR.
Matrix white_moment(const MatrixView& Sigma, bool constant);

// Sigma_g, its blocks those of the steps.
Matrix shrunk_by_steps(const MatrixView& Sigma, const CausalPattern& pattern, double g);

struct ShrinkageTable {
  std::vector<double> g;               // candidates; the first, 1, is LQR, whatever the mean
  std::vector<double> difference;      // mean held-out cost minus LQR's on the same trajectories
  std::vector<double> standard_error;  // of the difference, over trajectories
  Index folds = 0;
  std::size_t best = 0;  // the smallest difference
  Matrix each;           // n x candidates: held-out cost of a trajectory minus LQR's
};

// The costs of trajectories are smaller on average, by 1 + 2/n standard errors at least: with few
// of them the standard error is itself a guess.
struct Gain {
  double mean = 0, standard_error = 0;
  bool clear = false;
};
Gain gain_of(const Vector& difference);

// What candidate c minimizes the risk under: LQR's white moment, or a shrunk one with that floor.
Matrix candidate_moment(const MatrixView& Sigma, const QuadraticForm& form,
                        const std::vector<double>& g, std::size_t c);

// Cross-validation with paired differences: what both controllers pay on a trajectory cancels.
// Throws InputError on fewer than 2 trajectories, and on data that are all zero.
// `outputs`: also much smaller g. Purified outputs are so correlated that a little of white steps
// is much beside what one output does not tell of the next.
ShrinkageTable cross_validate_shrinkage(const QuadraticForm& form, const Disturbances& data,
                                        Index folds = 5,
                                        const std::function<void(Index, Index)>& progress = {},
                                        bool outputs = false);

}  // namespace loopcert
