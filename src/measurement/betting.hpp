// Betting against the mean of numbers in [0, 1], any law (docs/theory/measured.md). Who doubts that
// the mean is m or more stakes a part b of the capital on every number x; it becomes
// 1 - b + b (1 - x)/(1 - m) times what it was, a fair game or worse where the mean is m or more.
#pragma once

#include <vector>

#include "loopcert/core/types.hpp"

namespace loopcert {

// The capital is spread over several parts b, fixed before the numbers are seen.
struct Bets {
  std::vector<double> parts, weights;  // in [0, 1]; the weights add up to one
};

// For n numbers: the part that makes the Chernoff bound of a coin, with nearly all the weight, and
// 1, 1/2, 1/4, ... down to n^(-1/2). n may be no whole number.
Bets bets_against(double m, double n, double delta);

// log of the capital after the numbers, 1 before them, each counted `times`; -inf when it is lost.
double log_capital(const VectorView& x, double m, const Bets& bets, double times = 1);

// The means against which the capital stays below 1/delta end here: the mean is above with
// probability at most delta. At most 1.03 times the bound kl_upper(mean, log(1/delta)/n) of a coin.
// The order of the numbers does not matter.
double betting_upper(const VectorView& x, double delta, double times = 1);
double betting_lower(const VectorView& x, double delta, double times = 1);

}  // namespace loopcert
