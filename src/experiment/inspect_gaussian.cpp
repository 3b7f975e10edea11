// Are the trajectories Gaussian? Coordinate by coordinate (Anderson and Darling, mean and variance
// estimated) and together (skewness of Mori, Rohatgi and Szekely, kurtosis of Mardia).
#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "inspect_common.hpp"
#include "loopcert/core/random.hpp"

namespace loopcert {
namespace {

constexpr Index fewest = 8;              // trajectories, for the marginal test
constexpr double simulation_work = 4e8;  // multiplications spent on the null distribution
constexpr Stream null_stream{0, 0x696e7370656374};  // apart from every stream of data

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

struct Shape {
  double skewness = 0;  // |1/n sum z |z|^2|^2, not negative
  double kurtosis = 0;  // 1/n sum |z|^4, Mardia's b_2
};

// Of rows with mean zero and covariance I.
Shape shape_of(const Matrix& white) {
  const Vector squared = white.rowwise().squaredNorm();
  const auto n = static_cast<double>(white.rows());
  return {(white.transpose() * squared / n).squaredNorm(), squared.squaredNorm() / n};
}

// Both numbers do not change under affine maps, so their law under any Gaussian is that of
// standard normal rows, and a simulation of it is exact.
std::vector<Shape> simulate_null(Index n, Index d) {
  const double work = static_cast<double>(n) * static_cast<double>(d * d + 40 * d);
  const auto R = static_cast<Index>(std::clamp(simulation_work / work, 199.0, 999.0));
  std::vector<Shape> shapes;
  for (Index r = 0; r < R; ++r) {
    Matrix x = standard_normal_rows(null_stream, static_cast<std::uint64_t>(r * n), n, d);
    x.rowwise() -= x.colwise().mean().eval();
    const Matrix S = x.transpose() * x / static_cast<double>(n);
    x = Eigen::LLT<Matrix>(S).matrixL().solve(x.transpose()).transpose().eval();
    shapes.push_back(shape_of(x));
  }
  return shapes;
}

struct Multivariate {
  double kurtosis = 0;  // over what a Gaussian law gives
  double p = 1;
};

Multivariate multivariate_test(const Matrix& white) {
  const std::vector<Shape> null = simulate_null(white.rows(), white.cols());
  const Shape found = shape_of(white);
  double mean = 0;
  for (const Shape& shape : null) mean += shape.kurtosis / static_cast<double>(null.size());
  // How far off on either side, in the unit of that side: heavy tails make the two unlike.
  double above = 0, below = 0;
  for (const Shape& shape : null) {
    above += std::max(0.0, shape.kurtosis - mean);
    below += std::max(0.0, mean - shape.kurtosis);
  }
  const auto strangeness = [&](const Shape& shape) {
    const double gap = shape.kurtosis - mean;
    return std::abs(gap) / std::max(gap > 0 ? above : below, 1e-300);
  };
  std::vector<double> skewness, kurtosis;
  for (const Shape& shape : null) {
    skewness.push_back(shape.skewness);
    kurtosis.push_back(strangeness(shape));
  }
  const double p = std::min(simulated_p_value(found.skewness, skewness),
                            simulated_p_value(strangeness(found), kurtosis));
  return {found.kurtosis / mean, corrected(p, 2)};
}

}  // namespace

Check inspect_gaussian(const PreparedData& data) {
  const std::string& model = data.problem.disturbance.model;
  const bool assumed = model == "gaussian";
  Check check;
  check.name = "Gaussian";
  check.assumption = "model = \"" + model + "\"";
  if (data.n() < fewest || data.live.empty()) {
    check.meaning = fmt::format("With fewer than {} trajectories nothing can be said.", fewest);
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
  check.meaning = fmt::format("Coordinate by coordinate: {} (oddest {}).", p_text(marginal),
                              name_of(data, worst));
  if (data.white.size() > 0) {
    const Multivariate together = multivariate_test(data.white);
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
        "with a `kurtosis`, or `model = \"bounded\"` with a `radius`, whichever you can vouch for.";
  else if (!assumed)
    check.advice = p < doubtful_below
                       ? "Not assuming Gaussian disturbances looks wise."
                       : "Nothing speaks against `model = \"gaussian\"`; if you can vouch for it, "
                         "the sharper certificates become available.";
  return check;
}

}  // namespace loopcert
