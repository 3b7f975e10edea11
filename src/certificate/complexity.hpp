// The infimum over lambda in Thm. pb_cgf:
//   Comp = inf_{lambda > 0} (rate + psi(lambda)) / lambda,
//   rate = (KL + log(1/((1 - kappa) delta))) / (kappa n).
#pragma once

#include <functional>

#include "loopcert/core/types.hpp"

namespace loopcert {

// With its derivatives by the envelope theorem; `phi` and `mean` are the coefficients of the
// function below that made it.
struct Complexity {
  double value = 0;
  double lambda = 0;
  double d_rate = 0;  // = 1 / lambda
  double d_phi = 0;
  double d_mean = 0;
};

// kappa n, fixed before the data (docs/theory/pac-bayes-chernoff.md). One prior: n - 1, as in the
// paper, which suits a large KL. A grid of `priors`, which is for a small one: at most 0.95 n.
double pac_bayes_weight(Index n, Index priors);

// The rate above; for one prior (KL + log(n/delta)) / (n - 1). `delta` is that of one prior.
double pac_bayes_rate(double kl, Index n, double delta, Index priors);

// psi = lambda^2 phi: 2 sqrt(phi rate) at lambda = sqrt(rate / phi).
Complexity quadratic_complexity(double rate, double phi);

// psi = r f(lambda sqrt(phi / r)) + lambda^2 mean: for zero mean terms this bounds
// E_rho Lambda_alpha by Jensen twice (q -> f(sqrt q) is concave), r the rank of Sigma_y, and is
// never above lambda^2 (phi + mean).
Complexity rank_aware_complexity(double rate, double phi, double mean, Index rank);

// Any convex psi with psi(0) = psi'(0) = 0 on (0, end); end may be infinite. `above`: something
// that is never below psi and costs less; the result does not depend on it.
Complexity general_complexity(double rate, const std::function<double(double)>& psi, double end,
                              const std::function<double(double)>& above = {});

}  // namespace loopcert
