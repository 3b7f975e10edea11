// The largest cost of a response over a ball of disturbances.
#pragma once

#include "response/response.hpp"

namespace loopcert {

// max over |w| <= W of |M w + m|^2, never below it: by Lagrange duality, which is exact here,
//   min over nu > ||M||^2 of  nu W^2 + g'(nu I - M'M)^-1 g + |m|^2,  g = M'm,
// where every nu gives an upper bound.
double largest_cost(const WeightedResponse& y, double W);

}  // namespace loopcert
