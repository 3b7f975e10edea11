// Fourth moments against the bound `kurtosis`.
#include <fmt/format.h>

#include <cmath>

#include "inspect_common.hpp"

namespace loopcert {
namespace {

constexpr Index fewest = 20;

struct Ratio {
  double value = 0;  // m_4 / m_2^2
  double error = 0;  // by the delta method
};

Ratio kurtosis_of(const Eigen::ArrayXd& x) {
  const Eigen::ArrayXd y = x.square();
  const auto n = static_cast<double>(x.size());
  const double m2 = y.mean(), m4 = y.square().mean();
  const Eigen::ArrayXd influence =
      (y.square() - m4) / (m2 * m2) - 2 * m4 * (y - m2) / (m2 * m2 * m2);
  return {m4 / (m2 * m2), std::sqrt(influence.square().mean() / n)};
}

}  // namespace

Check inspect_kurtosis(const PreparedData& data) {
  const std::optional<double>& bound = data.problem.disturbance.kurtosis;
  Check check;
  check.name = "kurtosis";
  check.assumption = bound ? "kurtosis = " + small(*bound) : "no bound on fourth moments";
  if (data.n() < fewest || data.live.empty()) {
    if (!bound) check.verdict = Verdict::not_assumed;
    check.meaning = fmt::format("Fourth moments need at least {} trajectories.", fewest);
    return check;
  }
  double largest = 0, smallest_p = 1;
  Index where = data.live[0];
  for (size_t k = 0; k < data.live.size(); ++k) {
    const Ratio ratio = kurtosis_of(data.z.col(static_cast<Index>(k)).array());
    if (ratio.value > largest) {
      largest = ratio.value;
      where = data.live[k];
    }
    if (bound && ratio.error > 0)
      smallest_p = std::min(smallest_p, normal_upper((ratio.value - *bound) / ratio.error));
  }
  check.numbers = {{"largest kurtosis of a coordinate", largest}};
  check.meaning =
      fmt::format("The largest kurtosis of a coordinate is {} ({}); Gaussian ones have 3.",
                  small(largest), name_of(data, where));
  if (!bound) {
    check.verdict = Verdict::not_assumed;
    return check;
  }
  const double p = corrected(smallest_p, static_cast<double>(data.live.size()));
  check.p_value = p;
  check.verdict = judge(p, true);
  check.meaning += " Other directions are not tested, and rare large values may be missing.";
  if (check.verdict != Verdict::ok)
    check.advice = "Raise `kurtosis`, or assume a `radius` instead.";
  else if (largest < *bound / 2)
    check.advice =
        "The bound looks large, which makes certificates larger; but a sample of this size says "
        "little about rare large values.";
  return check;
}

}  // namespace loopcert
