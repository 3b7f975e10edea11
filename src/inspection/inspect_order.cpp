// Does the order of the trajectories matter? It does not when they are independent draws of one
// law: the statistics are compared with what random orders of the same rows give.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "inspect_common.hpp"

namespace loopcert {
namespace {

constexpr Index fewest = 8;

// sum_i <z_i, z_{i+1}> in standard deviations, with the exact mean and variance over all orders.
// With G = z z', g its diagonal and sum_i z_i = 0:
//   S_1 = sum_{a != b} G_ab = -sum g,      S_2 = sum_{a != b} G_ab^2 = ||z'z||_F^2 - sum g^2,
//   S_3 = sum_{abc distinct} G_ab G_bc = sum g^2 - S_2,   S_4 = S_1^2 - 2 S_2 - 4 S_3.
double serial_z(const Matrix& z) {
  const auto n = static_cast<double>(z.rows());
  const Vector g = z.rowwise().squaredNorm();
  const double S_1 = -g.sum();
  const double S_2 = (z.transpose() * z).squaredNorm() - g.squaredNorm();
  const double S_3 = g.squaredNorm() - S_2;
  const double S_4 = S_1 * S_1 - 2 * S_2 - 4 * S_3;
  double sum = 0;
  for (Index i = 0; i + 1 < z.rows(); ++i) sum += z.row(i).dot(z.row(i + 1));
  const double mean = S_1 / n;
  // n - 1 neighbours; 2 (n - 2) ordered pairs of them share a row, (n - 2)(n - 3) do not.
  const double square = S_2 / n + 2 * S_3 / (n * (n - 1)) + S_4 / (n * (n - 1));
  return (sum - mean) / std::sqrt(std::max(square - mean * mean, 1e-300));
}

// |sum_i c_i z_i|^2 with c the centred index of length one: over all orders it has mean tr(C) and
// about the law sum lambda_i(C) chi^2_1, matched by its first two moments.
double drift_p(const Matrix& z) {
  const auto n = static_cast<double>(z.rows());
  Vector c = Vector::LinSpaced(z.rows(), -1, 1);
  c.normalize();
  const Matrix C = z.transpose() * z / (n - 1);
  const double trace = C.trace(), square = C.squaredNorm();
  return chi_squared_upper((z.transpose() * c).squaredNorm() * trace / square,
                           trace * trace / square);
}

std::vector<Index> ranking(const Vector& values) {
  std::vector<Index> order(static_cast<size_t>(values.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return values(a) < values(b); });
  return order;
}

// Spearman's rank correlation of the sizes with the index.
double size_trend(const Vector& sizes) {
  const auto n = static_cast<double>(sizes.size());
  const std::vector<Index> order = ranking(sizes);
  double sum = 0;
  for (size_t rank = 0; rank < order.size(); ++rank)
    sum += std::pow(static_cast<double>(rank) - static_cast<double>(order[rank]), 2);
  return 1 - 6 * sum / (n * (n * n - 1));
}

// Runs of trajectories larger or smaller than the median (Wald and Wolfowitz), in standard
// deviations.
double runs_z(const Vector& sizes) {
  const std::vector<Index> order = ranking(sizes);
  const size_t half = order.size() / 2;
  std::vector<bool> large(order.size(), false);
  for (size_t k = half; k < order.size(); ++k) large[static_cast<size_t>(order[k])] = true;
  double runs = 1;
  for (size_t i = 1; i < large.size(); ++i) runs += large[i] != large[i - 1];
  const auto a = static_cast<double>(half), n = static_cast<double>(order.size()), b = n - a;
  const double mean = 1 + 2 * a * b / n;
  const double variance = (mean - 1) * (mean - 2) / (n - 1);
  return (runs - mean) / std::sqrt(variance);
}

}  // namespace

Check inspect_order(const PreparedData& data) {
  Check check;
  check.name = "order does not matter";
  check.assumption = "independent draws of one law";
  if (data.n() < fewest || data.live.empty()) {
    check.meaning = fmt::format("This test needs at least {} trajectories.", fewest);
    return check;
  }
  const auto n = static_cast<double>(data.n());
  const Vector sizes = data.z.rowwise().squaredNorm();
  const double serial = serial_z(data.z), trend = size_trend(sizes), runs = runs_z(sizes);
  struct Named {
    const char* name;
    double p;
  };
  const std::vector<Named> tests = {
      {"successive trajectories", normal_two_sided(serial)},
      {"drift of the mean", drift_p(data.z)},
      {"drift of the size", normal_two_sided(trend * std::sqrt(n - 1))},
      {"runs of large ones", normal_two_sided(runs)}};
  const Named* worst = &tests[0];
  for (const Named& test : tests) {
    check.numbers.push_back({std::string(test.name) + ", p-value", test.p});
    if (test.p < worst->p) worst = &test;
  }
  check.numbers.push_back(
      {"correlation of successive trajectories, in standard deviations", serial});
  check.numbers.push_back({"rank correlation of size and index", trend});
  const double p = corrected(worst->p, static_cast<double>(tests.size()));
  check.p_value = p;
  check.verdict = judge(p, true);
  check.meaning = fmt::format(
      "Of four tests of the order of the trajectories the most extreme is {}, {} after correction.",
      worst->name, p_text(p));
  if (check.verdict != Verdict::ok)
    check.advice =
        "Trajectories cut from one long run, or a law that changes during recording, are not "
        "independent draws of one law. Record them further apart; no key of the problem file can "
        "fix this.";
  return check;
}

}  // namespace loopcert
