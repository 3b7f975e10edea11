// The largest cost over an ellipsoid of models, by expanding it around the estimate: the first two
// orders exactly, the rest by norms (docs/theory/identified-cost.md).
//
// A loop with inputs v_t (t = 0 ... steps-1) and a start s, in which the model's error acts as
// d_t = Delta r_t beside v_t:
//   z = H_s s + sum_t H_t (v_t + d_t),   r_t = R_t s + sum_{j<t} L_tj (v_j + d_j).
#pragma once

#include <cmath>

#include "certificate/confidence_set.hpp"
#include "loopcert/core/types.hpp"

namespace loopcert {

// Of the nominal loop (Delta = 0), under the covariances U_v of each v_t and U_0 of s.
struct Interconnection {
  Index steps = 0, n_v = 0, n_r = 0;
  double cost = 0;  // E |z|^2
  Matrix to_cost;   // steps n_v x steps n_r: block (t, j) = E (H_t'z) r_j'
  Matrix inputs;    // steps n_v x steps n_v: H_t'H_j
  Matrix moments;   // steps n_r x steps n_r: E r_t r_j'
  Matrix replies;   // steps n_r x steps n_v: L_tj, zero for j >= t
};

struct Expansion {
  double nominal = 0;  // J_0
  double sup = 0;      // of the first two orders over the ellipsoid
  double rest = 0;     // all others
  double nu = 0;       // multiplier of `sup`; 0 where the second order is bounded by norms
  double n1 = 0, n2 = 0, n3 = 0;  // rms of the first, the second and all later orders of z
  double value() const { return nominal + sup + rest; }
};

// More coefficients than this are not expanded to the second order.
inline constexpr Index most_expanded = 256;

// min over nu > max(0, largest eigenvalue) of nu beta^2 + g'(nu - G)^-1 g: at least 2 g'f + f'G f
// for |f| <= beta.
struct QuadraticSup {
  double value = 0, nu = 0;
};
QuadraticSup sup_of_quadratic(const Vector& g, const Matrix& form, double beta);

// Throws NotProved when the norms do not settle (never: the loop is strictly causal) or overflow.
// A bound that is not below `enough` is not worth its norms: its value is then infinite.
Expansion expand(Interconnection loop, const ConfidenceSet& set, double enough = INFINITY);

}  // namespace loopcert
