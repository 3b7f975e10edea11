// Likelihood ratios between linear models of the same transitions.
#pragma once

#include "model/transition_sums.hpp"

namespace loopcert {

// What least squares leaves over.
struct Regression {
  double N = 0, log_det = 0;  // of the residual / N
  double rank = 0;            // of the regressors: what depends on others is left out
  bool possible = false;      // the residual was not singular
};
Regression regress(const TransitionSums& sums);

// p-value of more regressors on the same transitions; 1 where it cannot be computed.
double more_regressors_p(const TransitionSums& few, const TransitionSums& many);

// p-value of two parts with coefficients and covariances of their own; 1 where it cannot be
// computed.
double two_parts_p(const TransitionSums& a, const TransitionSums& b);

}  // namespace loopcert
