#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "core/check.hpp"
#include "core/linalg.hpp"
#include "loopcert/core/error.hpp"
#include "planning/plan.hpp"

namespace loopcert {
namespace {

struct Shrunk {
  Matrix covariance;
  double weight = 0;  // of the covariance with uncorrelated steps
};

// Towards steps that are uncorrelated (Schaefer and Strimmer 2005, with blocks): S = x'x/n and
//   weight = min(1, sum Var(r_ij) / sum r_ij^2)  over entries r_ij of its correlation between
//   steps,
// which no unit enters. Var(r_ij) is estimated over the rows.
Shrunk shrink(const Matrix& x, const Sizes& s) {
  const auto n = static_cast<double>(x.rows());
  Shrunk result{x.transpose() * x / n, 0};
  const Vector size = result.covariance.diagonal().cwiseSqrt();
  const Matrix z = x * size.unaryExpr([](double v) { return v > 0 ? 1 / v : 0.0; }).asDiagonal();
  const Matrix r = with_unit_diagonal(result.covariance);
  const Matrix squares = z.cwiseAbs2().transpose() * z.cwiseAbs2() / n;  // mean of (z_i z_j)^2
  double noise = 0, signal = 0;
  for (Index j = 0; j < r.cols(); ++j)
    for (Index i = 0; i < r.rows(); ++i) {
      if (i / s.n_w == j / s.n_w) continue;
      noise += (squares(i, j) - r(i, j) * r(i, j)) / (n - 1);
      signal += r(i, j) * r(i, j);
    }
  if (!(signal > 0)) return result;
  result.weight = std::clamp(noise / signal, 0.0, 1.0);
  for (Index j = 0; j < r.cols(); ++j)
    for (Index i = 0; i < r.rows(); ++i)
      if (i / s.n_w != j / s.n_w) result.covariance(i, j) *= 1 - result.weight;
  return result;
}

// Blocks of white steps alone, all of w_0 … w_{T-1} pooled when they share one law.
Shrunk white_blocks(const Matrix& x, const Sizes& s, bool stationary) {
  const Matrix S = x.transpose() * x / static_cast<double>(x.rows());
  Shrunk result{Matrix::Zero(x.cols(), x.cols()), 1};
  const auto at = [&](Matrix& M, Index t) { return M.block(t * s.n_w, t * s.n_w, s.n_w, s.n_w); };
  Matrix pooled = Matrix::Zero(s.n_w, s.n_w), copy = S;
  for (Index t = 1; t <= s.T; ++t) pooled += at(copy, t) / static_cast<double>(s.T);
  for (Index t = 0; t <= s.T; ++t)
    at(result.covariance, t) = stationary && t > 0 ? pooled : Matrix(at(copy, t));
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

// Sigma <= B, and never above Sigma itself where B allows it. B with a unit diagonal: a direction
// that is small in other units is not lost.
Matrix clip_below(const Matrix& covariance, const Matrix& bound) {
  const Vector size = bound.diagonal().cwiseSqrt();
  const Vector per_size = size.unaryExpr([](double v) { return v > 0 ? 1 / v : 0.0; });
  const Matrix W = psd_factor(with_unit_diagonal(bound));  // orthogonal columns
  const Matrix inverse =
      per_size.asDiagonal() * W * W.colwise().squaredNorm().cwiseInverse().asDiagonal();
  const Matrix unit = inverse.transpose() * covariance * inverse;
  const Matrix clipped = size.asDiagonal() * W * clip(unit, 1) * W.transpose() * size.asDiagonal();
  return 0.5 * (clipped + clipped.transpose());
}

}  // namespace

PlanLaw plan_law(const Problem& problem, const Disturbances& pilot) {
  const Assumptions& assumed = problem.disturbance;
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
  const Shrunk shrunk = assumed.white ? white_blocks(x, problem.sizes(), assumed.stationary)
                                      : shrink(x, problem.sizes());
  result.shrinkage = shrunk.weight;
  Matrix covariance = shrunk.covariance;
  if (assumed.covariance_bound) covariance = clip_below(covariance, *assumed.covariance_bound);
  if (assumed.scale_bound) covariance = clip(covariance, *assumed.scale_bound);
  result.law.covariance = covariance;
  result.source = fmt::format(
      "a Gaussian law estimated from a pilot of {} trajectories, its covariance shrunk {:.0f} % of "
      "the way to uncorrelated steps",
      pilot.n(), 100 * shrunk.weight);
  return result;
}

}  // namespace loopcert
