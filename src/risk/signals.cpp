#include "risk/signals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "loopcert/data/disturbances.hpp"
#include "response/limit_rows.hpp"

namespace loopcert {
namespace {

double beyond(double x) { return 0.5 * std::erfc(x / std::sqrt(2.0)); }  // P(normal > x)

// Mean and deviation of one signal at every step.
struct Steps {
  const Vector &mean, &deviation;
};

// P(|value| > level), averaged over the steps.
double share_above(const Steps& steps, double level) {
  double sum = 0;
  for (Index t = 0; t < steps.mean.size(); ++t) {
    const double m = steps.mean(t), s = steps.deviation(t);
    sum += s > 0 ? beyond((level - m) / s) + beyond((level + m) / s)
                 : (std::abs(m) > level ? 1.0 : 0.0);
  }
  return sum / static_cast<double>(steps.mean.size());
}

double level_of(const Steps& steps, double share) {
  double low = 0, high = (steps.mean.cwiseAbs() + 40 * steps.deviation).maxCoeff();
  for (int i = 0; i < 100 && high - low > 1e-12 * high; ++i) {
    const double middle = 0.5 * (low + high);
    (share_above(steps, middle) > share ? low : high) = middle;
  }
  return high;
}

// E|value| of a folded normal.
double expected_size(double m, double s) {
  if (s == 0) return std::abs(m);
  return s * std::sqrt(2 / M_PI) * std::exp(-m * m / (2 * s * s)) + m * (1 - 2 * beyond(m / s));
}

// Visits each signal with the stacked rows of its steps: function(name, is_state, first row,
// distance between steps, count).
template <class Function>
void for_each_signal(const Sizes& s, const Function& function) {
  for (Index i = 0; i < s.n_x; ++i) function(fmt::format("x{}", i), true, s.n_x + i, s.n_x, s.T);
  for (Index i = 0; i < s.n_u; ++i) function(fmt::format("u{}", i), false, i, s.n_u, s.T);
}

}  // namespace

SignalSize signal_size(const std::string& name, const Vector& mean, const Vector& deviation) {
  const Steps steps{mean, deviation};
  SignalSize size{name, 0, 0, 0, 0};
  const auto count = static_cast<double>(mean.size());
  for (Index t = 0; t < mean.size(); ++t) {
    size.expected += expected_size(mean(t), deviation(t)) / count;
    size.rms += (mean(t) * mean(t) + deviation(t) * deviation(t)) / count;
  }
  size.rms = std::sqrt(size.rms);
  size.level_95 = level_of(steps, 0.05);
  size.level_99 = level_of(steps, 0.01);
  return size;
}

std::vector<SignalSize> signal_sizes(const Sizes& sizes, const Response& response, const Law& law) {
  const auto moments = [&](const Matrix& Phi, const Vector& phi) {
    const Vector variance = (Phi * law.covariance).cwiseProduct(Phi).rowwise().sum();
    return std::pair<Vector, Vector>{Phi * law.mean + phi, variance.cwiseMax(0.0).cwiseSqrt()};
  };
  const auto of_x = moments(response.Phi_x, response.phi_x);
  const auto of_u = moments(response.Phi_u, response.phi_u);
  std::vector<SignalSize> all;
  for_each_signal(sizes,
                  [&](const std::string& name, bool state, Index first, Index stride, Index count) {
                    const auto& [mean, deviation] = state ? of_x : of_u;
                    Vector m(count), s(count);
                    for (Index t = 0; t < count; ++t) {
                      m(t) = mean(first + t * stride);
                      s(t) = deviation(first + t * stride);
                    }
                    all.push_back(signal_size(name, m, s));
                  });
  return all;
}

std::vector<SignalSize> signal_sizes(const Sizes& sizes, const Response& response,
                                     const MatrixView& w) {
  const Matrix x = (response.Phi_x * w.transpose()).colwise() + response.phi_x;
  const Matrix u = (response.Phi_u * w.transpose()).colwise() + response.phi_u;
  std::vector<SignalSize> all;
  for_each_signal(sizes,
                  [&](const std::string& name, bool state, Index first, Index stride, Index count) {
                    std::vector<double> values;
                    SignalSize size{name, 0, 0, 0, 0};
                    for (Index t = 0; t < count; ++t)
                      for (Index i = 0; i < w.rows(); ++i)
                        values.push_back(std::abs((state ? x : u)(first + t * stride, i)));
                    const auto N = static_cast<double>(values.size());
                    for (const double v : values) {
                      size.expected += v / N;
                      size.rms += v * v / N;
                    }
                    size.rms = std::sqrt(size.rms);
                    std::sort(values.begin(), values.end());
                    const auto level = [&](double share) {
                      return values[static_cast<size_t>(std::ceil(share * N)) - 1];
                    };
                    size.level_95 = level(0.95);
                    size.level_99 = level(0.99);
                    all.push_back(std::move(size));
                  });
  return all;
}

Violations violations_on(const Limits& limits, const Sizes& sizes, const Response& response,
                         const MatrixView& w) {
  const RowResponses rows = row_responses(limits, sizes, response);
  Violations found;
  found.draws = w.rows();
  found.rows = Vector::Zero(rows.m.size());
  constexpr Index batch = 1024;
  for (Index first = 0; first < w.rows(); first += batch) {
    const Index count = std::min(batch, w.rows() - first);
    const Matrix values = (rows.a * w.middleRows(first, count).transpose()).colwise() + rows.m;
    for (Index i = 0; i < count; ++i) {
      const Eigen::Array<bool, Eigen::Dynamic, 1> broken = !(
          values.col(i).array() <= rows.high.array() && values.col(i).array() >= rows.low.array());
      found.rows.array() += broken.cast<double>();
      found.episodes += broken.any() ? 1.0 : 0.0;
    }
  }
  found.rows /= static_cast<double>(w.rows());
  found.episodes /= static_cast<double>(w.rows());
  return found;
}

Violations violations_under(const Limits& limits, const Sizes& sizes, const Response& response,
                            const Law& law) {
  const Index draws = sizes.d_w() > 500 ? 2000 : 20000;
  constexpr std::uint64_t seed = 2025, stream = 77;  // the same draws every time
  const Disturbances sample = sample_disturbances(law, {seed, stream}, draws);
  Violations found = violations_on(limits, sizes, response, sample.w);
  if (law.shape != LawShape::gaussian) return found;
  const RowResponses rows = row_responses(limits, sizes, response);
  const Vector variance = (rows.a * law.covariance).cwiseProduct(rows.a).rowwise().sum();
  const Vector mean = rows.m + rows.a * law.mean;
  for (Index c = 0; c < mean.size(); ++c)
    found.rows(c) =
        violation(rows.low(c), rows.high(c), mean(c), std::sqrt(std::max(0.0, variance(c))));
  return found;
}

}  // namespace loopcert
