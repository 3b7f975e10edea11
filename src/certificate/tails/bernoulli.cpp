#include "certificate/bernoulli.hpp"

#include <cmath>
#include <limits>

namespace loopcert {
namespace {

// a log(a/p), written so that a near p does not cancel.
double part(double a, double p) {
  if (a == 0) return 0;
  if (p == 0) return std::numeric_limits<double>::infinity();
  return a * std::log1p((a - p) / p);
}

}  // namespace

double binary_kl(double a, double p) { return part(a, p) + part(1 - a, 1 - p); }

// By bisection: the end returned is the one where the relative entropy exceeds c.
double kl_upper(double a, double c) {
  double low = a, high = 1;
  for (int i = 0; i < 200 && low < high; ++i) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    (binary_kl(a, middle) <= c ? low : high) = middle;
  }
  return high;
}

double kl_lower(double p, double c) {
  if (binary_kl(0, p) <= c) return 0;
  double low = 0, high = p;
  for (int i = 0; i < 1100 && low < high; ++i) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    (binary_kl(middle, p) <= c ? high : low) = middle;
  }
  return low;
}

}  // namespace loopcert
