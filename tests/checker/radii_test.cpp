// docs/theory/data-driven.md, unknown-mean.md, bounded.md: radii around sample moments.
#include "lemmas/lemmas.hpp"
#include "numbers.hpp"

namespace verify::testing {
namespace {

// d/n = 0.2^2, and a delta that makes the other root 0.3.
TEST(Radii, NumbersChosenFirst) {
  expect_ball(covariance_radius(3, 4, 100, 2 * std::exp(-4.5)), 3 * (2 * 0.5 + 0.25));
  expect_ball(mean_radius(4, 4, 100, std::exp(-4.5)), 2 * 0.5);
  // eps = 1 solves eps^2 = c (3 + eps) for c = 1/4 = 2 log(d/delta)/n.
  expect_ball(second_moment_radius(1, 3, 7, 40, 7 * std::exp(-5)), 1);
  expect_ball(second_moment_radius(2, 6, 7, 40, 7 * std::exp(-5)), 2);  // in other units
}

// Of N((1, 0), diag(1, 1/4)), scale 1, and of a law on the corners of a square.
TEST(Radii, HoldForDrawnTrajectories) {
  constexpr long n = 20, rounds = 5000;
  constexpr double delta = 0.2;
  const double eps = upper(covariance_radius(1, 2, n, delta));
  const double r_mu = upper(mean_radius(1, 2, n, delta));
  Normal normal(3);
  double failed[3] = {};
  for (long k = 0; k < rounds; ++k) {
    double a = 0, b = 0, c = 0, x_sum = 0, y_sum = 0, corners = 0;
    for (long i = 0; i < n; ++i) {
      const double x = normal(), y = normal() / 2;
      a += x * x / n;
      b += x * y / n;
      c += y * y / n;
      x_sum += x / n;
      y_sum += y / n;
      corners += (x > 0) == (y > 0) ? 1.0 / n : -1.0 / n;
    }
    const double middle = (a - 1 + c - 0.25) / 2, half = std::hypot((a - 1 - c + 0.25) / 2, b);
    failed[0] += std::max(middle + half, half - middle) > eps;
    failed[1] += std::hypot(x_sum, y_sum) > r_mu;
    // V = [1, s; s, 1]: E[vv'] = I is above V + eps I by |s| - eps.
    const double norm = 1 + std::abs(corners);
    failed[2] += std::abs(corners) > upper(second_moment_radius(2, norm, 2, n, delta));
  }
  for (const double count : failed) EXPECT_LE(count, most_of(rounds, delta));
}

// u = (2 + (3/4 + 3) 1)/10, and in other units.
TEST(Radii, ByTheTrace) {
  const double delta = 2 * std::exp(-4.5);
  expect_ball(effective_rank_radius(1, 4, 100, delta), 0.575 * 2.575);
  expect_ball(effective_rank_radius(9, 36, 100, delta), 9 * 0.575 * 2.575);
}

// 30 directions, of which one has variance 1 and the others 0.001: far below the radius by d, and
// at delta = 0.5 exceeded by at most half of the samples.
TEST(Radii, ByTheTraceHoldsForDrawnTrajectories) {
  constexpr long n = 12, d = 30, rounds = 400;
  constexpr double delta = 0.5, small = 0.001;
  const double eps = upper(effective_rank_radius(1, 1 + 29 * Ball(small), n, delta));
  EXPECT_LT(eps, 0.6 * lower(covariance_radius(1, d, n, delta)));
  Normal normal(5);
  double failed = 0;
  for (long k = 0; k < rounds; ++k) {
    Mat W(n, d);
    for (long i = 0; i < n; ++i)
      for (long j = 0; j < d; ++j) W.set(i, j, (j == 0 ? 1 : std::sqrt(small)) * normal());
    Mat gap = 1 / Ball(n) * (transpose(W) * W);
    for (long j = 0; j < d; ++j) gap.set(j, j, gap(j, j) - (j == 0 ? 1 : small));
    const Mat I = identity(d);
    failed += !is_positive_definite(eps * I - gap) || !is_positive_definite(eps * I + gap);
  }
  EXPECT_LE(failed, most_of(rounds, delta));
}

}  // namespace
}  // namespace verify::testing
