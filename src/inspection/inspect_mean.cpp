// Is the mean zero? Hotelling's T^2, and each coordinate by its t statistic.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "inspect_common.hpp"

namespace loopcert {
namespace {

// Rows of `white` have mean zero and covariance I; the same map takes the mean there:
// white = z B with z = (w - mean)/deviation, so B = least squares solution, and m = B' (mean/dev).
double hotelling_p(const PreparedData& data) {
  const auto n = static_cast<double>(data.n());
  const auto r = static_cast<double>(data.white.cols());
  Vector scaled(data.z.cols());
  for (size_t k = 0; k < data.live.size(); ++k)
    scaled(static_cast<Index>(k)) = data.mean(data.live[k]) / data.deviation(data.live[k]);
  // z'z/n = V diag(s) V' on its range and white = z V s^-1/2, so V s^1/2 = z'white/n and
  // m = s^-1/2 V' scaled = diag(s)^-1 (z'white/n)' scaled.
  const Matrix A = data.z.transpose() * data.white / n;
  const Vector s = A.colwise().squaredNorm().transpose();
  const Vector m = (A.transpose() * scaled).cwiseQuotient(s);
  const double T2 = (n - 1) * m.squaredNorm();  // n m' S^-1 m with S over n - 1
  return fisher_upper((n - r) / (r * (n - 1)) * T2, r, n - r);
}

}  // namespace

Check inspect_mean(const PreparedData& data) {
  const bool assumed = data.problem.disturbance.zero_mean;
  Check check;
  check.name = "mean zero";
  check.assumption = assumed ? "zero_mean = true" : "zero_mean = false";
  const auto n = static_cast<double>(data.n());
  check.numbers = {{"norm of the mean", data.mean.norm()}};
  if (data.n() < 3) {
    check.meaning = "This test needs at least 3 trajectories.";
    return check;
  }
  double smallest = 1, live = 0;
  Index worst = 0;
  for (Index j = 0; j < data.d(); ++j) {
    if (data.deviation(j) == 0 && data.mean(j) == 0) continue;
    const bool constant = std::find(data.live.begin(), data.live.end(), j) == data.live.end();
    const double t = std::sqrt(n) * data.mean(j) / data.deviation(j);
    const double p = constant ? 0 : student_two_sided(t, n - 1);
    ++live;
    if (p < smallest) {
      smallest = p;
      worst = j;
    }
  }
  double p = corrected(smallest, live);
  check.meaning = fmt::format(
      "The mean of the trajectories has norm {}. The coordinate farthest from zero is {}, {}.",
      small(data.mean.norm()), name_of(data, worst), p_text(p));
  check.numbers.push_back({"p-value of the oddest coordinate", p});
  if (data.white.size() > 0) {
    const double together = hotelling_p(data);
    check.numbers.push_back({"p-value of T^2", together});
    check.meaning += fmt::format(" All together (Hotelling's T^2): {}.", p_text(together));
    p = corrected(std::min(p, together), 2);
  }
  check.p_value = p;
  check.verdict = judge(p, assumed);
  if (check.verdict == Verdict::doubtful || check.verdict == Verdict::contradicted)
    check.advice =
        "Set `zero_mean = false` and use a certificate for an unknown mean, or put the known part "
        "into `system.d`; with `affine = true` the controller can compensate a mean.";
  else if (!assumed && p >= doubtful_below)
    check.advice =
        "The data do not contradict `zero_mean = true`; if you can justify it, the certificates "
        "that assume it are smaller.";
  return check;
}

}  // namespace loopcert
