// docs/theory/measured.md: bets against the mean of numbers in [0, 1]; ratios of two means.
#include <arb_hypgeom.h>

#include <algorithm>
#include <cmath>

#include "lemmas/lemmas.hpp"

namespace verify {
namespace {

constexpr double price = 0.03;

Ball kl_of(const Ball& a, const Ball& p) {
  return a * log(a / p) + (1 - a) * log((1 - a) / (1 - p));
}

// a < p with kl(a, p) = rate, zero where kl(0, p) is below: by Newton, then by signs.
Ball kl_lower(const Ball& p, const Ball& rate) {
  const Ball none = -log(1 - p) - rate;
  if (upper(none) <= 0) return 0;
  if (!(lower(none) > 0)) throw TooWide{"the share of a bet"};
  double low = 0, high = lower(p);
  for (int i = 0; i < 60; ++i) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    (upper(kl_of(middle, p)) < upper(rate) ? high : low) = middle;
  }
  Ball a = low > 0 ? low : high;
  for (slong good = 32; good < 2 * bits; good *= 2) {
    a = a - (kl_of(a, p) - rate) / log(a * (1 - p) / (p * (1 - a)));
    arb_get_mid_arb(a.x, a.x);
  }
  Ball room;
  arb_mul_2exp_si(room.x, a.x, -bits * 3 / 4);
  if (!(lower(kl_of(a - room, p) - rate) > 0 && upper(kl_of(a + room, p) - rate) < 0))
    throw TooWide{"the share of a bet"};
  arb_add_error(a.x, room.x);
  return a;
}

// The capital after the numbers, of which 1 is what there was before, times delta.
Ball capital(const std::vector<Ball>& left, const Ball& m, double delta) {
  const auto n = static_cast<long>(left.size());
  const Ball most = power(Ball(delta), Ball(price));
  std::vector<Ball> parts = {1 - kl_lower(m, (1 + Ball(price)) * log(1 / Ball(delta)) / n) / m};
  double b = 1;
  for (long square = 1; square <= n; square *= 4, b /= 2) parts.emplace_back(b);
  Ball sum;
  for (size_t j = 0; j < parts.size(); ++j) {
    const Ball stake = parts[j] / (1 - m), kept = 1 - parts[j];
    Ball product = j == 0 ? most : (1 - most) / (static_cast<long>(parts.size()) - 1);
    for (const Ball& rest : left) product = product * (kept + stake * rest);
    sum = sum + product;
  }
  return delta * sum;
}

}  // namespace

Ball betting_upper(const std::vector<Ball>& numbers, double delta) {
  Ball sum;
  std::vector<Ball> left;
  for (const Ball& x : numbers) {
    sum = sum + x;
    left.push_back(1 - x);
  }
  const Ball mean = sum / static_cast<long>(numbers.size());
  const auto excess = [&](double rest) {  // m = 1 - rest
    std::vector<Ball> now = left;
    return 1 - capital(now, 1 - Ball(rest), delta);
  };
  if (!(upper(excess(1e-12)) <= 0)) return 1;  // the numbers are nearly all 1
  return 1 - Ball(largest_with(excess, lower(1 - mean)));
}

// p u + (p + q) log((x p + q)/(p + q)) >= log(1/delta), x = e^-u, halves p and q.
double scale_free_ratio_of_two(long n_P, long n_N, double delta) {
  const Ball p = Ball(n_P) / 2, q = Ball(n_N) / 2;
  const auto excess = [&](double x) {
    return log(1 / Ball(delta)) + p * log(Ball(x)) - (p + q) * log((x * p + q) / (p + q));
  };
  return largest_with(excess, 1);
}

// The quantile of F(n_P, n_N), up to (1 - 2/n_P)/(1 + 2/n_N), or what holds for any mean.
double chi_square_ratio_of_two(long n_P, long n_N, double delta) {
  const double any_mean = scale_free_ratio_of_two(n_P, n_N, delta);
  if (n_P < 3) return any_mean;
  const Ball p = Ball(n_P) / 2, q = Ball(n_N) / 2;
  const auto excess = [&](double x) {
    Ball below;
    const Ball place = x * p / (q + x * p);
    arb_hypgeom_beta_lower(below.x, p.x, q.x, place.x, 1, bits);
    return below - delta;
  };
  return std::max(any_mean, largest_with(excess, lower((1 - 2 / Ball(n_P)) / (1 + 2 / Ball(n_N)))));
}

}  // namespace verify
