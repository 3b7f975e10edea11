// docs/trust.md: what chance does once in 10^10, and what rounding costs.
#include <algorithm>
#include <cmath>

#include "lemmas/lemmas.hpp"

namespace verify {

Ball laurent_massart(long n, const Ball& t) { return n + 2 * sqrt(n * t) + 2 * t; }

Ball markov(long n, const Ball& t) { return n * exp(t); }

Ball two_caps(long n, const Ball& rest) { return Ball(n - 1) * log(rest) / 2; }

namespace {

// How many lengths lie in the fullest interval [c, ratio c] that begins at one of them.
long most_alike(const std::vector<double>& sorted, double ratio) {
  size_t most = 0;
  for (size_t i = 0, end = 0; i < sorted.size(); ++i) {
    while (end < sorted.size() && sorted[end] <= ratio * sorted[i]) ++end;
    most = std::max(most, end - i);
  }
  return static_cast<long>(most);
}

}  // namespace

// A length |a| of N(0, sigma^2) lies in a given interval [c, r c] with probability at most p =
// 2 phi(1) log r, for x phi(x) is largest at x = 1. So k - 1 of the other m = n - 1 lie in the one
// that begins at some draw with probability at most n exp(-m KL((k - 1)/m | p)) (Chernoff): less
// than once in 10^10 is not believed.
bool likely_on_a_line(std::vector<double> lengths) {
  std::sort(lengths.begin(), lengths.end());
  const auto n = static_cast<double>(lengths.size());
  for (const double ratio : {1.1, 1.5, 2.0}) {
    const double p = 0.484 * std::log(ratio), m = n - 1;
    const double share = static_cast<double>(most_alike(lengths, ratio) - 1) / m;
    if (share <= p) continue;
    const double others = share < 1 ? (1 - share) * std::log((1 - share) / (1 - p)) : 0;
    if (std::log(n) - m * (share * std::log(share / p) + others) < -std::log(1e10)) return false;
  }
  return true;
}

// |y'|^2 <= (|y| + |y' - y|)^2 for the weighted trajectories y of the two, E|y|^2 <= V, and the
// root of E|y' - y|^2 is at most the sum of those that each entry of z alone gives, in any units.
Ball rounding_cost(const Mat& gram, const Mat& second, const Ball& V) {
  Ball root;  // ends: no root of a ball that touches zero
  for (long j = 0; j < gram.rows(); ++j)
    root = root + sqrt(Ball(upper(max_zero(gram(j, j) * second(j, 0)))));
  return root * root + 2 * sqrt(Ball(upper(max_zero(V)))) * root;
}

}  // namespace verify
