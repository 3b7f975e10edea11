// Learning around LQR: minimize the risk under a second moment that is shrunk towards white noise,
//   Sigma_g = (1 - g) Sigma_hat + g diag(1, tau I),   tau = tr(Sigma_hat on w) / d_w.
// At g = 1 the disturbances are white with mean zero and the minimizer is LQR; at g = 0 it is ERM.
// Every g costs one causal factorization.
#pragma once

#include <functional>
#include <vector>

#include "loopcert/core/types.hpp"
#include "loopcert/data/disturbances.hpp"
#include "loopcert/response/space.hpp"

namespace loopcert {

// `constant`: the first row and column belong to the constant 1. g in [0, 1].
Matrix shrunk_moment(const MatrixView& Sigma, bool constant, double g);

struct ShrinkageTable {
  std::vector<double> g;               // candidates, from 1 (LQR) down
  std::vector<double> difference;      // mean held-out cost minus that of g = 1, same trajectories
  std::vector<double> standard_error;  // of the difference, over trajectories
  Index folds = 0;
  std::size_t best = 0;  // the smallest difference

  // The best one is better than LQR by more than its standard error: worth leaving LQR for.
  bool leaves_lqr() const { return difference[best] < -standard_error[best]; }
};

// Cross-validation with paired differences: what both controllers pay on a trajectory cancels.
// Throws InputError on fewer than 2 trajectories, and on data that are all zero.
ShrinkageTable cross_validate_shrinkage(const ResponseSpace& space, const Disturbances& data,
                                        Index folds = 5,
                                        const std::function<void(Index, Index)>& progress = {});

}  // namespace loopcert
