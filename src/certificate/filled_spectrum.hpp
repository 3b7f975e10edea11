// The mean of n Gaussian quadratic costs against its expectation L, where the eigenvalues s_1 >=
// s_2 >= ... of the cost are known to add up to at most c_k, k of them: the worst spectrum is the
// one that fills these numbers from the first on until they add up to L
// (docs/theory/chi-square.md, item 4).
#pragma once

#include "loopcert/core/types.hpp"

namespace loopcert {

// s_k = min(c_k, total) - min(c_{k-1}, total), those that are not zero. `caps` increase and are
// concave: c_k - c_{k-1} never grows.
Vector filled_spectrum(const Vector& caps, double total);

struct FilledBound {
  double value = 0;
  double lambda = 0;  // of the spectrum at `value`
};
// L <= value with probability 1 - delta, `empirical` the mean of n costs; never above what a single
// chi-square gives.
FilledBound filled_bound(const Vector& caps, double empirical, Index n, double delta);

}  // namespace loopcert
