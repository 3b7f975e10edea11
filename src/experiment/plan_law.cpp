#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "loopcert/core/check.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/core/linalg.hpp"
#include "loopcert/experiment/plan.hpp"

namespace loopcert {
namespace {

struct Shrunk {
  Matrix covariance;
  double weight = 0;  // of the scaled identity
};

// Ledoit and Wolf (2004) for rows around a known mean: S = x'x/n, mu = tr(S)/d and
//   weight = min(1, (sum |x_i|^4/n - ||S||_F^2) / n / ||S - mu I||_F^2).
Shrunk shrink(const Matrix& x) {
  const auto n = static_cast<double>(x.rows()), d = static_cast<double>(x.cols());
  const Matrix S = x.transpose() * x / n;
  const Matrix target = S.trace() / d * Matrix::Identity(S.rows(), S.cols());
  const double spread = (S - target).squaredNorm();
  const double noise = (x.rowwise().squaredNorm().squaredNorm() / n - S.squaredNorm()) / n;
  const double weight = spread > 0 ? std::clamp(noise / spread, 0.0, 1.0) : 0.0;
  return {weight * target + (1 - weight) * S, weight};
}

// Blocks of white steps apart, all of w_0 … w_{T-1} pooled when they share one law.
Shrunk shrink_blocks(const Matrix& x, const Sizes& s, bool stationary) {
  Shrunk result{Matrix::Zero(x.cols(), x.cols()), 0};
  const auto put = [&](const Shrunk& block, Index t) {
    result.covariance.block(t * s.n_x, t * s.n_x, s.n_x, s.n_x) = block.covariance;
    result.weight = std::max(result.weight, block.weight);
  };
  put(shrink(x.leftCols(s.n_x)), 0);
  if (!stationary) {
    for (Index t = 1; t <= s.T; ++t) put(shrink(x.middleCols(t * s.n_x, s.n_x)), t);
    return result;
  }
  Matrix all(x.rows() * s.T, s.n_x);
  for (Index t = 0; t < s.T; ++t)
    all.middleRows(t * x.rows(), x.rows()) = x.middleCols((t + 1) * s.n_x, s.n_x);
  const Shrunk pooled = shrink(all);
  for (Index t = 1; t <= s.T; ++t) put(pooled, t);
  return result;
}

// No eigenvalue above `most`.
Matrix clip(const Matrix& covariance, double most) {
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(covariance);
  if (eigen.eigenvalues().maxCoeff() <= most) return covariance;
  const Matrix clipped = eigen.eigenvectors() *
                         eigen.eigenvalues().cwiseMax(0.0).cwiseMin(most).asDiagonal() *
                         eigen.eigenvectors().transpose();
  return 0.5 * (clipped + clipped.transpose());
}

// Sigma <= B, and never above Sigma itself where B allows it.
Matrix clip_below(const Matrix& covariance, const Matrix& bound) {
  const Matrix W = psd_factor(bound);  // orthogonal columns
  const Matrix inverse = W * W.colwise().squaredNorm().cwiseInverse().asDiagonal();
  const Matrix unit = inverse.transpose() * covariance * inverse;
  const Matrix clipped = W * clip(unit, 1) * W.transpose();
  return 0.5 * (clipped + clipped.transpose());
}

}  // namespace

PlanLaw plan_law(const Problem& problem, const Disturbances& pilot) {
  const DisturbanceOptions& assumed = problem.disturbance;
  if (pilot.n() == 0) {
    if (!assumed.law)
      throw_input_error("plan", "neither a pilot nor disturbance.covariance",
                        "trajectories to estimate a law from, or a law");
    return {*assumed.law, "the law in the problem file", 0, {}};
  }
  check_disturbances(pilot, problem.sizes());
  check_at_least("pilot trajectories", pilot.n(), 2);
  PlanLaw result;
  result.pilot = pilot.n();
  result.law.mean = Vector::Zero(pilot.w.cols());
  if (!assumed.zero_mean) result.law.mean = pilot.w.colwise().mean().transpose();
  const Matrix x = pilot.w.rowwise() - result.law.mean.transpose();
  const Shrunk shrunk =
      assumed.white ? shrink_blocks(x, problem.sizes(), assumed.stationary) : shrink(x);
  result.shrinkage = shrunk.weight;
  Matrix covariance = shrunk.covariance;
  if (assumed.covariance_bound) covariance = clip_below(covariance, *assumed.covariance_bound);
  if (assumed.scale_bound) covariance = clip(covariance, *assumed.scale_bound);
  result.law.covariance = covariance;
  result.source = fmt::format(
      "a Gaussian law estimated from a pilot of {} trajectories, its covariance shrunk {:.0f} % of "
      "the way to a multiple of the identity",
      pilot.n(), 100 * shrunk.weight);
  return result;
}

}  // namespace loopcert
