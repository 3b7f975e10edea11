// The relative entropy of two coins, and its inversions: tails of means of n independent variables
// in [0, 1], for which a coin with the same expectation p is the worst case. With
// c = log(1/delta)/n, a mean is at most kl_lower(p, c) with probability at most delta.
#pragma once

namespace loopcert {

// a log(a/p) + (1-a) log((1-a)/(1-p)) for a, p in [0, 1]; infinite when p is 0 or 1 and a is not.
double binary_kl(double a, double p);

// sup{ p >= a : binary_kl(a, p) <= c }, rounded up.
double kl_upper(double a, double c);

// inf{ a <= p : binary_kl(a, p) <= c }, rounded down.
double kl_lower(double p, double c);

}  // namespace loopcert
