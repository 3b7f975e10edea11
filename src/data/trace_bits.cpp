// How much of a row one of its steps says.
#include <algorithm>
#include <cmath>

#include "trace_steps.hpp"

namespace loopcert {
namespace {

using Columns = std::vector<std::vector<double>>;  // for each step, the numbers of some rows

constexpr Index most_rows = 400;  // the statistics need no more

// At most so many rows, spread over all of them.
StepNumbers chosen_rows(const StepNumbers& numbers) {
  const Index n = numbers.n(), m = std::min(n, most_rows);
  StepNumbers chosen{{}, numbers.steps};
  for (Index i = 0; i < m; ++i)
    for (Index t = 0; t < numbers.steps; ++t) chosen.all.push_back(numbers.at(i * n / m, t));
  return chosen;
}

Columns columns_of(const StepNumbers& numbers) {
  Columns y(static_cast<size_t>(numbers.steps));
  for (Index i = 0; i < numbers.n(); ++i)
    for (Index t = 0; t < numbers.steps; ++t)
      y[static_cast<size_t>(t)].push_back(static_cast<double>(numbers.at(i, t).value));
  return y;
}

double product(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void centre(std::vector<double>& a) {
  double mean = 0;
  for (const double value : a) mean += value / static_cast<double>(a.size());
  for (double& value : a) value -= mean;
}

// Takes off the part of `a` that is a multiple of `direction`, of length one.
void remove(const std::vector<double>& direction, std::vector<double>& a) {
  const double part = product(direction, a);
  for (size_t i = 0; i < a.size(); ++i) a[i] -= part * direction[i];
}

// Root of the sum of squares of each step over the rows, without what the steps before say about
// it (Gram and Schmidt); zero where they determine it to 1e-6 of itself. Of one row: its own size.
std::vector<double> innovations(Columns y) {
  const bool one = y[0].size() == 1;
  std::vector<double> left;
  for (size_t t = 0; t < y.size(); ++t) {
    if (!one) centre(y[t]);
    const double whole = std::sqrt(product(y[t], y[t]));
    for (size_t s = 0; s < t && !one; ++s)
      if (left[s] > 0) remove(y[s], y[t]);
    const double rest = std::sqrt(product(y[t], y[t]));
    left.push_back(rest > 1e-6 * whole ? rest : 0);
    for (double& value : y[t])
      if (rest > 0) value /= rest;
  }
  return left;
}

double size_of(const StepNumbers& numbers, Index t) {
  double sum = 0;
  for (Index i = 0; i < numbers.n(); ++i) sum += numbers.at(i, t).size * numbers.at(i, t).size;
  return std::sqrt(sum);
}

// For each step the pairs of rows that agree there to 36 bits. Those that agree everywhere are left
// out, if they are few: copies, which say nothing about chance.
std::vector<double> near_pairs(const StepNumbers& numbers) {
  std::vector<double> near(static_cast<size_t>(numbers.steps), 0);
  std::vector<size_t> steps;
  double copies = 0;
  for (Index i = 0; i < numbers.n(); ++i)
    for (Index j = 0; j < i; ++j) {
      steps.clear();
      for (Index t = 0; t < numbers.steps; ++t)
        if (std::abs(numbers.at(i, t).value - numbers.at(j, t).value) <=
            trace_room(numbers.at(i, t), 0x1p-36))
          steps.push_back(static_cast<size_t>(t));
      if (steps.size() == near.size())
        ++copies;
      else
        for (const size_t t : steps) ++near[t];
    }
  if (copies > static_cast<double>(numbers.n()))
    for (double& count : near) count += copies;
  return near;
}

// -log2 of a probability, rounded down; 40 for zero.
int bits_of(double chance) {
  int exponent = 0;
  std::frexp(chance, &exponent);
  return chance > 0 ? std::clamp(-exponent, 0, 40) : 40;
}

}  // namespace

void count_bits(const StepNumbers& numbers, Traces& traces) {
  const StepNumbers chosen = chosen_rows(numbers);
  const std::vector<double> left = innovations(columns_of(chosen)), near = near_pairs(chosen);
  const auto m = static_cast<double>(chosen.n());
  const double pairs = std::max(m * (m - 1) / 2, 1.0);
  for (Index t = 0; t < numbers.steps; ++t) {
    const auto at = static_cast<size_t>(t);
    // Two Gaussian rows differ by less than a part e of their size with probability about
    // e size / (sqrt(pi) spread): the density of the difference at zero is 1 / (2 sqrt(pi) spread).
    const double part = left[at] / std::max(size_of(chosen, t), 0x1p-60);
    int exponent = -40;
    if (part > 0) std::frexp(std::sqrt(M_PI) * part, &exponent);
    traces.lost.push_back(std::clamp(1 - exponent, 0, 40));
    // Coarse numbers agree more often than that.
    traces.most.push_back(bits_of(near[at] / pairs));
  }
}

}  // namespace loopcert
