// Are x_0, w_0, …, w_{T-1} uncorrelated? Canonical correlations between blocks, by lag, and the
// largest single correlation.
#include <fmt/format.h>

#include <Eigen/QR>
#include <cmath>
#include <map>

#include "inspect_common.hpp"

namespace loopcert {
namespace {

// Columns of z that belong to each block.
std::vector<std::vector<Index>> block_columns(const PreparedData& data) {
  const Sizes sizes = data.problem.sizes();
  std::vector<std::vector<Index>> blocks(static_cast<size_t>(sizes.T) + 1);
  for (size_t k = 0; k < data.live.size(); ++k)
    blocks[static_cast<size_t>(data.live[k] / sizes.n_w)].push_back(static_cast<Index>(k));
  return blocks;
}

Matrix orthonormal(const Matrix& columns) {
  if (columns.cols() == 0) return columns;
  const Eigen::ColPivHouseholderQR<Matrix> qr(columns);
  const Index rank = qr.rank();
  return qr.householderQ() * Matrix::Identity(columns.rows(), rank);
}

// Sum of squared canonical correlations (n - 1 times it is about chi^2) and degrees of freedom.
struct Sum {
  double squares = 0, degrees = 0;
  double p(double n) const {
    return degrees > 0 ? chi_squared_upper((n - 1) * squares, degrees) : 1.0;
  }
};

// By lag; 0 stands for x_0 against every w_t.
std::map<Index, Sum> sums_by_lag(const PreparedData& data) {
  std::vector<Matrix> Q;
  for (const auto& columns : block_columns(data))
    Q.push_back(orthonormal(data.z(Eigen::all, columns)));
  std::map<Index, Sum> sums;
  for (size_t t = 1; t < Q.size(); ++t)
    for (size_t s = 0; s < t; ++s) {
      Sum& sum = sums[s == 0 ? 0 : static_cast<Index>(t - s)];
      sum.squares += (Q[s].transpose() * Q[t]).squaredNorm();
      sum.degrees += static_cast<double>(Q[s].cols() * Q[t].cols());
    }
  return sums;
}

struct Largest {
  double correlation = 0, pairs = 0;
  Index first = 0, second = 0;
};

Largest largest_correlation(const PreparedData& data) {
  const Matrix C = data.z.transpose() * data.z / static_cast<double>(data.n() - 1);
  const Index n_w = data.problem.sizes().n_w;
  Largest largest;
  for (Index j = 0; j < C.cols(); ++j)
    for (Index i = 0; i < j; ++i) {
      const Index a = data.live[static_cast<size_t>(i)], b = data.live[static_cast<size_t>(j)];
      if (a / n_w == b / n_w) continue;
      ++largest.pairs;
      if (std::abs(C(i, j)) > std::abs(largest.correlation))
        largest = {C(i, j), largest.pairs, a, b};
    }
  return largest;
}

double correlation_p(double r, double n) {
  return student_two_sided(r * std::sqrt((n - 2) / std::max(1e-300, 1 - r * r)), n - 2);
}

}  // namespace

Check inspect_whiteness(const PreparedData& data) {
  const bool assumed = data.problem.disturbance.white;
  Check check;
  check.name = "white in time";
  check.assumption = assumed ? "white = true" : "white = false";
  const auto n = static_cast<double>(data.n());
  const Largest largest = data.n() >= 4 ? largest_correlation(data) : Largest{};
  if (largest.pairs == 0) {
    check.meaning = "Too few trajectories, or too few coordinates that vary.";
    return check;
  }
  const double single = corrected(correlation_p(largest.correlation, n), largest.pairs);
  check.numbers = {{"largest correlation between steps", largest.correlation}};
  double p = single;
  check.meaning = fmt::format("The largest correlation between two steps is {} ({} and {}), {}.",
                              small(largest.correlation), name_of(data, largest.first),
                              name_of(data, largest.second), p_text(single));
  if (data.n() - 1 > 2 * data.problem.sizes().n_w) {
    const std::map<Index, Sum> sums = sums_by_lag(data);
    Sum all;
    double smallest = 1;
    Index lag = 0;
    for (const auto& [at, sum] : sums) {
      all.squares += sum.squares;
      all.degrees += sum.degrees;
      if (sum.p(n) < smallest) {
        smallest = sum.p(n);
        lag = at;
      }
    }
    smallest = corrected(smallest, static_cast<double>(sums.size()));
    p = corrected(std::min({single, all.p(n), smallest}), 3);
    check.numbers.push_back({"p-value of all steps together", all.p(n)});
    check.numbers.push_back({"p-value of the oddest lag", smallest});
    check.meaning += fmt::format(
        " All pairs of steps together: {}; the most extreme lag: {} ({}).", p_text(all.p(n)),
        lag == 0 ? "x_0 with the steps" : std::to_string(lag), p_text(smallest));
  }
  check.p_value = p;
  check.verdict = judge(p, assumed);
  const bool coloured = p < doubtful_below;
  const bool outputs = !data.problem.system.plant.has_state();
  if (outputs && !(coloured && assumed))  // white ones would leave nothing to do
    check.advice = coloured ? "Outputs nearly always are: earlier ones tell of later ones, and "
                              "that is what feedback uses."
                            : "Earlier outputs tell nothing of later ones: no feedback is the best "
                              "there is.";
  else if (coloured)
    check.advice =
        assumed ? "Set `white = false`: certificates that assume white noise are not valid here. "
                  "In return, learning can beat what is optimal for white noise only."
                : "The noise is correlated in time: learning can beat LQR, which is "
                  "optimal for white noise only.";
  else if (!assumed)
    check.advice =
        "The data look white. If you can justify it, `white = true` lets certificates estimate "
        "small blocks and makes them smaller; no learned controller then beats LQR.";
  return check;
}

}  // namespace loopcert
