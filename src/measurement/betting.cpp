#include "measurement/betting.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "certificate/bernoulli.hpp"
#include "core/check.hpp"

namespace loopcert {
namespace {

constexpr double price = 0.03;      // what the other parts may cost: a share of log(1/delta)
constexpr double outwards = 1e-12;  // rounding

// sum_i log(1 - b + b r_i), r_i = (1 - x_i)/(1 - m)
double log_growth(const VectorView& x, double m, double b) {
  constexpr double small = 1e-200, large = 1e200;
  const double stake = b / (1 - m);
  double sum = 0, product = 1;
  for (Index i = 0; i < x.size(); ++i) {
    product *= (1 - b) + stake * (1 - x(i));
    if (product > small && product < large) continue;
    sum += std::log(product);
    product = 1;
  }
  return sum + std::log(product);
}

}  // namespace

Bets bets_against(double m, double n, double delta) {
  const double rate = (1 + price) * std::log(1 / delta) / n;
  const double most = std::pow(delta, price);  // its logarithm is the price
  Bets bets{{1 - kl_lower(m, rate) / m}, {most}};
  for (double b = 1; b == 1 || b * b * n >= 1; b /= 2) bets.parts.push_back(b);
  const auto others = static_cast<double>(bets.parts.size() - 1);
  bets.weights.resize(bets.parts.size(), (1 - most) / others);
  return bets;
}

double log_capital(const VectorView& x, double m, const Bets& bets, double times) {
  std::vector<double> logs;
  for (size_t j = 0; j < bets.parts.size(); ++j)
    logs.push_back(std::log(bets.weights[j]) + times * log_growth(x, m, bets.parts[j]));
  const double most = *std::max_element(logs.begin(), logs.end());
  if (!std::isfinite(most)) return -std::numeric_limits<double>::infinity();
  double sum = 0;
  for (const double value : logs) sum += std::exp(value - most);
  return most + std::log(sum);
}

double betting_upper(const VectorView& given, double delta, double times) {
  check_at_least("n", given.size(), 1);
  check_probability("delta", delta);
  Vector x = given;
  std::sort(x.begin(), x.end());  // so that not even the rounding depends on their order
  const double n = times * static_cast<double>(x.size());
  const double target = std::log(1 / delta) * (1 + outwards);
  // The capital grows with m, and reaches 1/delta below the coin's bound at the higher rate.
  double low = std::clamp(x.mean(), 0.0, 1.0);
  double high = std::min(1.0, kl_upper(low, (1 + price) * std::log(1 / delta) / n) + outwards);
  for (int i = 0; i < 200; ++i) {
    const double m = low + (high - low) / 2;
    if (m <= low || m >= high) break;
    (log_capital(x, m, bets_against(m, n, delta), times) >= target ? high : low) = m;
  }
  return std::min(1.0, high * (1 + outwards));
}

double betting_lower(const VectorView& x, double delta, double times) {
  return 1 - betting_upper((1 - x.array()).matrix(), delta, times);
}

}  // namespace loopcert
