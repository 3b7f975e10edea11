#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <boost/math/tools/roots.hpp>
#include <cmath>

#include "calibration/coverage.hpp"
#include "certificate/cumulant.hpp"
#include "certificate/gaussian.hpp"
#include "core/parallel.hpp"
#include "coverage_stream.hpp"
#include "data/moments.hpp"
#include "loopcert/core/error.hpp"
#include "response/space.hpp"
#include "risk/risk.hpp"

namespace loopcert {
namespace {

constexpr double z_999 = 3.2905267314918945;  // 0.9995 quantile of the standard normal

// y for one response under the law, or under what the problem's scale bound allows.
GaussianTrajectory trajectory_of(const PremiseCell& cell, const Response& response) {
  const WeightedResponse y =
      weighted_response(cell.problem.system.cost, cell.problem.sizes(), response);
  const Law& law = cell.source.law;
  if (cell.cumulant != "scale-bound")
    return gaussian_trajectory(y.M, y.m, law.mean, law.covariance);
  const Index d_w = law.mean.size();
  return gaussian_trajectory(y.M, y.m, Vector::Zero(d_w),
                             *cell.problem.disturbance.scale_bound * Matrix::Identity(d_w, d_w));
}

// What stands for Lambda(lambda) in the exponent.
double cumulant(const PremiseCell& cell, const Response& response, double lambda) {
  if (cell.cumulant == "hoeffding") {  // b = W^2 ||M'M||
    const WeightedResponse y =
        weighted_response(cell.problem.system.cost, cell.problem.sizes(), response);
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(Matrix(y.M.transpose() * y.M),
                                                      Eigen::EigenvaluesOnly);
    const double W = *cell.problem.disturbance.radius;
    return lambda * lambda * hoeffding_coefficient(W * W * eigen.eigenvalues().maxCoeff());
  }
  const GaussianTrajectory y = trajectory_of(cell, response);
  return cell.cumulant == "quadratic" ? lambda * lambda * quadratic_coefficient(y)
                                      : exact_gaussian_cgf(y, lambda);
}

// log E X^2 = n (Lambda(2 lambda) - 2 Lambda(lambda)) for the Gaussian law, increasing in lambda.
double lambda_of(const PremiseCell& cell, const Response& start) {
  const WeightedResponse y =
      weighted_response(cell.problem.system.cost, cell.problem.sizes(), start);
  const GaussianTrajectory t =
      gaussian_trajectory(y.M, y.m, cell.source.law.mean, cell.source.law.covariance);
  const auto excess = [&](double lambda) {
    const double second = exact_gaussian_cgf(t, 2 * lambda) - 2 * exact_gaussian_cgf(t, lambda);
    return static_cast<double>(cell.n) * second - cell.log_second;
  };
  double high = 1 / t.risk();
  while (excess(high) < 0) high *= 2;
  std::uintmax_t steps = 200;
  return boost::math::tools::toms748_solve(excess, 0.0, high, -cell.log_second, excess(high),
                                           boost::math::tools::eps_tolerance<double>(40), steps)
      .first;
}

CoverageVerdict judge_premise(CoverageRule rule, const Interval& interval) {
  const bool above = interval.low > 1, below = interval.high < 1;
  if (rule == CoverageRule::fails)
    return above ? CoverageVerdict{true, "above 1"} : CoverageVerdict{false, "not above 1"};
  if (above) return {false, "above 1"};
  if (rule == CoverageRule::exact && below) return {false, "below 1"};
  return {true, rule == CoverageRule::exact ? "1" : below ? "below 1" : "not above 1"};
}

}  // namespace

std::string premise_cell_name(const PremiseCell& cell) {
  return fmt::format("premise {}{} on {}, n = {}, log second moment {}", cell.cumulant,
                     cell.prior ? " under the prior" : "", cell.problem.name, cell.n,
                     cell.log_second);
}

PremiseResult run_premise_cell(const PremiseCell& cell, Index sets, const CoverageRun& run) {
  const System& system = cell.problem.system;
  const Stream stream = coverage_stream(run.seed, premise_cell_name(cell));
  const CoverageShape& shape = coverage_shape(cell.source.shape);
  const ResponseSpace space = make_response_space(system, cell.problem.response);
  const Moments law = law_moments(cell.source.law);
  const double s = cell.problem.learning.prior_scale.value_or(1.0);
  Posterior prior{
      Matrix::Zero(space.coordinates.pattern.rows(), space.coordinates.pattern.cols()),
      Matrix::Constant(space.coordinates.pattern.rows(), space.coordinates.pattern.cols(), s * s)};
  project_causal(space.coordinates.pattern, prior.variance);
  const Response start = response_at(system, space.coordinates, prior.mean);

  PremiseResult result;
  result.cell = cell;
  result.sets = sets;
  result.lambda = lambda_of(cell, start);
  const auto n = static_cast<double>(cell.n);
  Vector moment = Vector::Zero(sets);
  parallel_for(sets, run.threads, [&](Index i) {
    if (run.interrupted && run.interrupted()) return;
    const auto index = static_cast<std::uint64_t>(i);
    const Disturbances data =
        shape.draw(cell.source.law, stream, cell.n, index * static_cast<std::uint64_t>(cell.n));
    const Response response =
        cell.prior ? response_at(system, space.coordinates,
                                 sample_posterior(prior, {stream.seed, stream.cell + 2}, index))
                   : start;
    const double gap = response_risk(system, response, law) -
                       response_risk(system, response, sample_moments(data));
    moment(i) = std::exp(n * (result.lambda * gap - cumulant(cell, response, result.lambda)));
  });
  result.mean = moment.mean();
  const auto N = static_cast<double>(sets);
  const double error =
      std::sqrt((moment.array() - result.mean).square().sum() / (N * std::max(1.0, N - 1)));
  result.interval = {result.mean - z_999 * error, result.mean + z_999 * error};
  result.verdict = judge_premise(cell.rule, result.interval);
  return result;
}

}  // namespace loopcert
