// Are the trajectories Gaussian? Coordinate by coordinate (Anderson and Darling, mean and variance
// estimated) and together (inspect_shape.cpp).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "inspect_common.hpp"

namespace loopcert {
namespace {

constexpr Index fewest = 8;  // trajectories, for the marginal test

double log_normal_cdf(double x) { return std::log(0.5 * std::erfc(-x / std::sqrt(2.0))); }

// A^2 with the correction for small n and the p-value of D'Agostino and Stephens (1986, table 4.9).
double anderson_darling_p(std::vector<double> z) {
  std::sort(z.begin(), z.end());
  const auto n = static_cast<double>(z.size());
  double sum = 0;
  for (size_t i = 0; i < z.size(); ++i)
    sum += (2 * static_cast<double>(i) + 1) *
           (log_normal_cdf(z[i]) + log_normal_cdf(-z[z.size() - 1 - i]));
  const double a = std::min((-n - sum / n) * (1 + 0.75 / n + 2.25 / (n * n)), 150.0);
  if (std::isnan(a)) return 0;  // a value beyond 38 standard deviations
  if (a >= 0.6) return std::exp(1.2937 - 5.709 * a + 0.0186 * a * a);
  if (a >= 0.34) return std::exp(0.9177 - 4.279 * a - 1.38 * a * a);
  if (a >= 0.2) return 1 - std::exp(-8.318 + 42.796 * a - 59.938 * a * a);
  return 1 - std::exp(-13.436 + 101.14 * a - 223.73 * a * a);
}

}  // namespace

Check inspect_gaussian(const PreparedData& data) {
  const std::string& model = data.problem.disturbance.model;
  const bool assumed = model == "gaussian";
  Check check;
  check.name = "Gaussian";
  check.assumption = "model = \"" + model + "\"";
  if (data.n() < fewest || data.live.empty()) {
    check.meaning = fmt::format("This test needs at least {} trajectories.", fewest);
    return check;
  }
  double smallest = 1;
  Index worst = data.live[0];
  for (size_t k = 0; k < data.live.size(); ++k) {
    const auto column = data.z.col(static_cast<Index>(k));
    const double p = anderson_darling_p({column.begin(), column.end()});
    if (p < smallest) {
      smallest = p;
      worst = data.live[k];
    }
  }
  const double marginal = corrected(smallest, static_cast<double>(data.live.size()));
  check.numbers = {{"marginal p-value", marginal}};
  double p = marginal;
  check.meaning = fmt::format("Coordinate by coordinate: {} (most extreme {}).", p_text(marginal),
                              name_of(data, worst));
  if (data.white.size() > 0) {
    const NormalShape together = test_normal_shape(data.white, data.effort);
    check.numbers.push_back({"multivariate p-value", together.p});
    check.numbers.push_back({"kurtosis over that of a Gaussian law", together.kurtosis});
    p = corrected(std::min(marginal, together.p), 2);
    check.meaning += fmt::format(
        " Together, by skewness and kurtosis: {}; their kurtosis is {} times that of Gaussian "
        "data.",
        p_text(together.p), small(together.kurtosis));
  } else {
    check.meaning += " All coordinates together need more trajectories than dimensions.";
  }
  check.p_value = p;
  check.verdict = judge(p, assumed);
  if (check.verdict == Verdict::contradicted || check.verdict == Verdict::doubtful)
    check.advice =
        "Certificates for Gaussian disturbances do not hold for such a law. Set `model = \"any\"` "
        "with a `kurtosis`, or `model = \"bounded\"` with a `radius`, whichever you can justify.";
  else if (!assumed)
    check.advice = p < doubtful_below ? "It is right not to assume Gaussian disturbances."
                                      : "The data do not contradict `model = \"gaussian\"`; if you "
                                        "can justify it, sharper certificates become available.";
  return check;
}

}  // namespace loopcert
