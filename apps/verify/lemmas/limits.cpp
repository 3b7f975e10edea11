// docs/theory/limits.md: how often a row leaves its limits.
#include <arb_hypgeom.h>

#include <cmath>

#include "lemmas/lemmas.hpp"

namespace verify {
namespace {

enum class End { low, high };

// One end of a ball, without a radius.
Ball end_of(const Ball& a, End end) {
  Ball exact;
  if (end == End::high)
    arb_get_ubound_arf(arb_midref(exact.x), a.x, bits);
  else
    arb_get_lbound_arf(arb_midref(exact.x), a.x, bits);
  return exact;
}

// P(g > gap/deviation) for a gap above zero: it grows with the deviation, whose ball may reach
// zero, where it is zero.
Ball tail_beyond(const Ball& gap, const Ball& deviation) {
  const Ball most = end_of(deviation, End::high), least = end_of(deviation, End::low);
  const Ball high = arb_is_positive(most.x) ? normal_above(gap / most) : Ball(0);
  const Ball low = arb_is_positive(least.x) ? normal_above(gap / least) : Ball(0);
  return ball(arb_union, low.x, high.x);
}

Ball norm(const Mat& row) { return ball(arb_sqrtpos, dot(row, row).x); }

}  // namespace

Ball normal_above(const Ball& x) {
  const Ball scaled = x / sqrt(Ball(2));
  Ball value;
  arb_hypgeom_erfc(value.x, scaled.x, bits);
  return value / 2;
}

Ball violation(const Interval& within, const Ball& mean, const Ball& deviation) {
  if (!arb_is_finite(mean.x) || !arb_is_finite(deviation.x)) throw TooWide{"a row of the limits"};
  Ball sum;
  for (const End end : {End::low, End::high}) {
    const double limit = end == End::low ? within.low : within.high;
    if (std::isinf(limit)) continue;
    const Ball gap = end == End::low ? mean - limit : limit - mean;
    if (arb_is_nonpositive(gap.x)) return 1;
    if (!arb_is_positive(gap.x)) throw TooWide{"whether the mean of a row is inside its limits"};
    sum = sum + tail_beyond(gap, deviation);
  }
  return ball(arb_min, sum.x, Ball(1).x);
}

// P(B <= k) of a binomial B is the regularized incomplete beta function of 1 - p at (n - k, k + 1).
double count_above(long count, long n, double delta) {
  if (count >= n) return 1;
  const auto excess = [&](double rest) {  // p = 1 - rest
    Ball below;
    arb_hypgeom_beta_lower(below.x, Ball(n - count).x, Ball(count + 1).x, Ball(rest).x, 1, bits);
    return below - delta;
  };
  return upper(1 - Ball(largest_with(excess, 1)));
}

Ball reach_of_box(const Mat& row, const std::vector<double>& size) {
  Ball sum;
  for (long j = 0; j < row.cols(); ++j)
    sum = sum + ball([](arb_t r, const arb_t a, slong) { arb_abs(r, a); }, row(0, j).x) *
                    size[static_cast<size_t>(j) % size.size()];
  return sum;
}

Ball reach_of_steps(const Mat& row, long entries, double size) {
  Ball sum;
  for (long j = 0; j < row.cols(); j += entries) sum = sum + norm(block(row, 0, j, 1, entries));
  return sum * size;
}

Ball reach_of_ball(const Mat& row, double size) { return norm(row) * size; }

}  // namespace verify
