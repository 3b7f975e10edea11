// What N transitions y_t = Theta r_t + v_t say about Theta and the covariance of v, v_t ~ N(0,
// Sigma_v) independent of everything before: an ellipsoid and a matrix above Sigma_v, for every
// controller at once (docs/theory/identified-models.md).
#pragma once

#include <optional>
#include <string>

#include "loopcert/core/types.hpp"
#include "model/transition_sums.hpp"

namespace loopcert {

// On the events model and noise: Sigma_v <= U_v, and Theta - Theta_hat = U^1/2 F G with
// ||F||_F <= beta.
struct ConfidenceSet {
  Matrix Theta_hat;  // n_v x n_r
  Matrix U_v;        // n_v x n_v
  Matrix root;       // U^1/2: root root' = U_v, lower triangular
  Matrix G;          // n_r x n_r: G'G = Vt^-1, Vt = V (V + V_0)^-1 V
  double beta = 0;   // radius
  double b_sq = 0;   // (1 + eta) beta^2, what the noise pays for the model
  double q = 0;      // the Wishart floor of N transitions
  Index transitions = 0;
};

// beta^2 = 2 log(1/delta) + n_v log det(I + V_0^-1 V).
double model_radius_squared(const TransitionSums& sums, double delta_model);

// Throws NotProved (learn more transitions) when N q <= b^2, or when no direction may be left out
// and some was never excited.
ConfidenceSet confidence_set(const TransitionSums& sums, double delta_model, double delta_noise);

// The same with `factor` times as many transitions like these: a forecast, no set. V grows with N,
// and V_0 with V: beta stays, G shrinks, the floor rises towards 1.
ConfidenceSet with_more_transitions(const ConfidenceSet& set, double factor, double delta_noise);

// |Theta_ij - Theta_hat_ij| <= entry ij, for all of them at once on the same events.
Matrix entry_radii(const ConfidenceSet& set);

}  // namespace loopcert
