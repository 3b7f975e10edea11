// Minimizers of the quadratic risk: ERM (or the population optimum) and ridge. The products of
// large ones are done by the GPU that the thread may use (large_products.hpp).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "loopcert/core/types.hpp"
#include "loopcert/data/disturbances.hpp"
#include "response/quadratic_form.hpp"

namespace loopcert {

struct Minimizer {
  Matrix Z;
  bool determined = true;        // false: Sigma is singular, Z is the minimizer of smallest norm
  Index rank = 0;                // numerical rank of Sigma on the free columns
  std::string left_device = {};  // a GPU that failed on the way
};

// argmin_Z L(Z). Sigma positive definite: causal Wiener-Hopf factorization
//   Z = -R^-T [R^-1 (N_0 Sigma) L^-T]_causal L^-1,  Sigma = L L',  P = R R'.
// Sigma singular: the minimum-norm minimizer, by nested projections.
Minimizer minimize_risk(const QuadraticForm& form, const MatrixView& Sigma);

struct RidgeOptions {
  double relative_residual = 1e-12;
  int max_iterations = 2000;
};

struct RidgeResult {
  Matrix Z;
  double gamma = 0;
  int iterations = 0;
  double relative_residual = 0;
  bool converged = false;
  std::string left_device = {};  // a GPU that failed on the way
};

// [P Z Sigma] + gamma Z = target on the causal entries, gamma > 0: what ridge solves. The target is
// zero outside them.
struct RidgeSystem {
  CausalPattern pattern;
  const Matrix& P;
  const MatrixView& Sigma;
  double gamma = 0;
};
RidgeResult solve_ridge(const RidgeSystem& system, const Matrix& target,
                        const RidgeOptions& options, const Matrix* warm_start = nullptr);

// argmin_Z L(Z) + gamma ||Z||_F^2 by preconditioned conjugate gradients; gamma > 0. The
// preconditioner P (x) (Sigma + gamma/p I) is solved exactly by the causal factorization, so the
// number of iterations is bounded by the condition number of P alone, whatever p, Sigma and gamma.
RidgeResult ridge(const QuadraticForm& form, const MatrixView& Sigma, double gamma,
                  const RidgeOptions& options = {}, const Matrix* warm_start = nullptr);

struct CrossValidation {
  std::vector<double> gamma;           // candidates, largest first
  std::vector<double> cost;            // mean held-out cost of each
  std::vector<double> standard_error;  // over folds
  Index folds = 0;
  double best_gamma = 0;
};

// Candidates: 10^2 … 10^-4 in half decades, times the mean curvature (diagonal of P (x) Sigma).
CrossValidation cross_validate_ridge(const QuadraticForm& form, const Disturbances& data,
                                     Index folds = 5,
                                     const std::function<void(Index, Index)>& progress = {});

}  // namespace loopcert
