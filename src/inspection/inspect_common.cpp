#include "inspect_common.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace loopcert {

namespace bm = boost::math;

double normal_upper(double z) { return 0.5 * std::erfc(z / std::sqrt(2.0)); }

double normal_two_sided(double z) { return std::erfc(std::abs(z) / std::sqrt(2.0)); }

double chi_squared_upper(double x, double degrees) {
  return bm::cdf(bm::complement(bm::chi_squared(degrees), std::max(x, 0.0)));
}

double chi_squared_lower(double x, double degrees) {
  return bm::cdf(bm::chi_squared(degrees), std::max(x, 0.0));
}

double chi_squared_quantile(double probability, double degrees) {
  return bm::quantile(bm::chi_squared(degrees), probability);
}

double student_two_sided(double t, double degrees) {
  return 2 * bm::cdf(bm::complement(bm::students_t(degrees), std::abs(t)));
}

double fisher_upper(double x, double degrees_above, double degrees_below) {
  return bm::cdf(bm::complement(bm::fisher_f(degrees_above, degrees_below), std::max(x, 0.0)));
}

double corrected(double p, double count) { return std::min(1.0, p * count); }

double simulated_p_value(double observed, std::vector<double> simulated) {
  std::sort(simulated.begin(), simulated.end());
  const auto R = static_cast<double>(simulated.size());
  const auto above = static_cast<double>(
      simulated.end() - std::lower_bound(simulated.begin(), simulated.end(), observed));
  const double p = (1 + above) / (1 + R);
  if (above > 0) return p;
  // Hill's estimate of 1/index from the last tenth, P(X > x) ~ share (x/threshold)^-index.
  const size_t tail = std::max<size_t>(simulated.size() / 10, 5);
  if (simulated.size() <= tail) return p;
  const double threshold = simulated[simulated.size() - tail - 1];
  if (!(threshold > 0)) return p;
  double mean_excess = 0;
  for (size_t i = simulated.size() - tail; i < simulated.size(); ++i)
    mean_excess += std::log(simulated[i] / threshold) / static_cast<double>(tail);
  if (!(mean_excess > 0)) return p;
  const double share = static_cast<double>(tail) / R;
  return std::min(p, share * std::pow(observed / threshold, -1 / mean_excess));
}

Verdict judge(double p, bool assumed) {
  if (!assumed) return Verdict::not_assumed;
  if (p < contradicted_below) return Verdict::contradicted;
  return p < doubtful_below ? Verdict::doubtful : Verdict::ok;
}

std::string small(double value) { return fmt::format("{:.3g}", value); }

std::string p_text(double p) { return p < 1e-12 ? "p < 1e-12" : fmt::format("p = {:.2g}", p); }

std::string name_of(const PreparedData& data, Index column) {
  const Index n_w = data.problem.sizes().n_w, block = column / n_w;
  if (!data.problem.system.plant.has_state()) return fmt::format("eta{}_{}", block, column % n_w);
  return block == 0 ? fmt::format("x0_{}", column) : fmt::format("w{}_{}", block - 1, column % n_w);
}

}  // namespace loopcert
