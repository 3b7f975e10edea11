// Independent draws of a law with a density never repeat.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "inspect_common.hpp"

namespace loopcert {
namespace {

constexpr Index all_pairs_limit = 2000;  // beyond it only neighbours in the file are compared

struct Pair {
  Index first = 0, second = 0;
  double value = 0;
};

// Rows that occur before, by sorting; the first such pair.
Pair exact_duplicates(const Matrix& w) {
  std::vector<Index> order(static_cast<size_t>(w.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  const auto compare = [&](Index a, Index b) {
    for (Index j = 0; j < w.cols(); ++j)
      if (w(a, j) != w(b, j)) return w(a, j) < w(b, j) ? -1 : 1;
    return 0;
  };
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {
    const int c = compare(a, b);
    return c != 0 ? c < 0 : a < b;
  });
  Pair found;
  for (size_t i = 1; i < order.size(); ++i)
    if (compare(order[i - 1], order[i]) == 0) {
      if (found.value == 0) found = {order[i - 1], order[i], 0};
      ++found.value;
    }
  return found;
}

// The nearest two rows that are not equal; value is their squared distance.
Pair nearest_rows(const Matrix& z) {
  Pair nearest{0, 0, INFINITY};
  const auto look = [&](Index i, Index j, double distance) {
    if (distance > 0 && distance < nearest.value) nearest = {i, j, distance};
  };
  if (z.rows() > all_pairs_limit) {
    for (Index i = 0; i + 1 < z.rows(); ++i)
      look(i, i + 1, (z.row(i) - z.row(i + 1)).squaredNorm());
    return nearest;
  }
  const Matrix columns = z.transpose();
  for (Index i = 0; i + 1 < columns.cols(); ++i) {
    const Index rest = columns.cols() - i - 1;
    const Eigen::RowVectorXd distance =
        (columns.rightCols(rest).colwise() - columns.col(i)).colwise().squaredNorm();
    for (Index j = 0; j < rest; ++j) look(i, i + 1 + j, distance(j));
  }
  return nearest;
}

// Under a Gaussian law the squared distance has mean 2 d and about the shape of chi^2 with
// h = tr(C)^2 / tr(C^2) degrees of freedom, C the correlation; the sample makes h too small, which
// makes the answer cautious.
double near_p(const PreparedData& data, double distance) {
  const auto d = static_cast<double>(data.z.cols()), n = static_cast<double>(data.n());
  const Matrix C = data.z.transpose() * data.z / (n - 1);
  const double h = d * d / C.squaredNorm();
  const double pairs = data.n() > all_pairs_limit ? n - 1 : n * (n - 1) / 2;
  return corrected(chi_squared_lower(h * distance / (2 * d), h), pairs);
}

}  // namespace

Check inspect_duplicates(const PreparedData& data) {
  Check check;
  check.name = "no repetitions";
  check.assumption = "independent trajectories";
  if (data.n() < 2 || data.live.empty()) {
    check.meaning = "There are no trajectories to compare.";
    return check;
  }
  const Pair equal = exact_duplicates(data.w);
  check.numbers = {{"repeated trajectories", equal.value}};
  if (equal.value > 0) {
    check.verdict = Verdict::contradicted;
    check.p_value = 0;
    check.meaning = fmt::format(
        "{} of {} trajectories repeat an earlier one exactly, for example numbers {} and {}.",
        static_cast<Index>(equal.value), data.n(), equal.first + 1, equal.second + 1);
    check.advice =
        "Remove the copies: n counts independent trajectories, and copies make a certificate too "
        "small. No key of the problem file can fix this.";
    return check;
  }
  const Pair nearest = nearest_rows(data.z);
  const double p = std::isfinite(nearest.value) ? near_p(data, nearest.value) : 1;
  const double share = std::sqrt(nearest.value / (2 * static_cast<double>(data.z.cols())));
  check.p_value = p;
  check.verdict = judge(p, true);
  check.numbers.push_back({"smallest distance over a typical one", share});
  check.meaning = fmt::format(
      "No trajectory repeats. The nearest two, numbers {} and {}, are {} of a typical distance "
      "apart, {}.",
      nearest.first + 1, nearest.second + 1, small(share), p_text(p));
  if (check.verdict != Verdict::ok)
    check.advice =
        "Two trajectories are almost equal: check whether one episode was recorded twice.";
  return check;
}

}  // namespace loopcert
