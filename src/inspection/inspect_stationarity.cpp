// Do w_0, …, w_{T-1} vary equally? Brown and Forsythe's test: an analysis of variance of the
// distances to the median, which needs no Gaussian law. Correlation in time makes it timid.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "inspect_common.hpp"

namespace loopcert {
namespace {

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return 0.5 * (*middle + *std::max_element(values.begin(), middle));
}

// Columns are groups.
double brown_forsythe_p(const Matrix& columns) {
  const auto n = static_cast<double>(columns.rows()), T = static_cast<double>(columns.cols());
  Matrix distance(columns.rows(), columns.cols());
  for (Index t = 0; t < columns.cols(); ++t)
    distance.col(t) =
        (columns.col(t).array() - median({columns.col(t).begin(), columns.col(t).end()})).abs();
  const Eigen::RowVectorXd means = distance.colwise().mean();
  const double within = (distance.rowwise() - means).squaredNorm() / (T * (n - 1));
  const double between = n * (means.array() - means.mean()).square().sum() / (T - 1);
  if (within == 0) return between == 0 ? 1 : 0;
  return fisher_upper(between / within, T - 1, T * (n - 1));
}

}  // namespace

Matrix step_deviations(const PreparedData& data) {
  const Sizes sizes = data.problem.sizes();
  return data.deviation.reshaped(sizes.n_w, sizes.T + 1).transpose();
}

Check inspect_stationarity(const PreparedData& data) {
  const bool assumed = data.problem.disturbance.stationary;
  const Sizes sizes = data.problem.sizes();
  Check check;
  check.name = "same at every step";
  check.assumption = assumed ? "stationary = true" : "stationary = false";
  if (data.n() < 5 || sizes.T < 2) {
    check.meaning = "Too few trajectories, or too few steps, to compare.";
    return check;
  }
  double smallest = 1;
  Index worst = 0;
  for (Index i = 0; i < sizes.n_w; ++i) {
    Matrix columns(data.n(), sizes.T);
    for (Index t = 0; t < sizes.T; ++t) columns.col(t) = data.w.col((t + 1) * sizes.n_w + i);
    const double p = brown_forsythe_p(columns);
    if (p < smallest) {
      smallest = p;
      worst = i;
    }
  }
  const double p = corrected(smallest, static_cast<double>(sizes.n_w));
  const Vector deviations = step_deviations(data).col(worst).tail(sizes.T);
  check.p_value = p;
  check.numbers = {{"smallest standard deviation of a step", deviations.minCoeff()},
                   {"largest standard deviation of a step", deviations.maxCoeff()}};
  check.meaning = fmt::format(
      "The standard deviation of coordinate {} of w_t runs from {} to {} over the steps, {}.",
      worst, small(deviations.minCoeff()), small(deviations.maxCoeff()), p_text(p));
  check.verdict = judge(p, assumed);
  if (check.verdict == Verdict::doubtful || check.verdict == Verdict::contradicted)
    check.advice = "Set `stationary = false`: the steps do not share one law.";
  else if (!assumed && p >= doubtful_below && data.problem.disturbance.white)
    check.advice =
        "The steps look alike. If you can justify it, `stationary = true` together with `white = "
        "true` lets certificates pool them.";
  return check;
}

}  // namespace loopcert
