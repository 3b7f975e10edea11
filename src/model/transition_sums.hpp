// What a confidence set of a linear model is made from.
#pragma once

#include "loopcert/core/types.hpp"

namespace loopcert {

// Sums over N transitions y_t = Theta r_t + v_t.
struct TransitionSums {
  Index N = 0;
  Matrix rr;     // V = sum r r'
  Matrix yr;     // sum y r'
  Matrix yy;     // sum y y'
  Matrix prior;  // V_0: positive definite, fixed before the first of these transitions
  // Sums may be those of y - reference r in place of y: what is left over keeps its digits where it
  // is small beside y. Empty: zero.
  Matrix reference = {};
};

}  // namespace loopcert
