// Posterior families: what learning finds in each, and that it is what the bound says by another
// route.
#include "learning/families.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <map>

#include "paper_problem.hpp"

namespace loopcert::testing {
namespace {

PacBayesResult learn_in(const std::string& family, const PaperProblem& problem,
                        const BoundSetup& setup) {
  const PacBayesOptions options;
  return posterior_family(family).minimize(
      problem.space.cost, setup.inputs, problem.prior, options,
      minimize_bound(problem.space.cost, setup.inputs, problem.prior, options));
}

// Every family holds the diagonal posteriors' frame or one that was found to be better, and each
// covariance once more as a full one: the p x p formulas.
TEST(Families, LargerOnesHaveSmallerBounds) {
  const PaperProblem problem;
  const CausalPattern& pattern = problem.space.coordinates.pattern;
  for (const Index n : {10, 40, 400}) {
    SCOPED_TRACE("n = " + std::to_string(n));
    const BoundSetup setup = problem.setup("data-driven", problem.evidence(1, n));
    std::map<std::string, double> value;
    for (const PosteriorFamily& family : posterior_families()) {
      SCOPED_TRACE(family.name);
      const PacBayesResult result = learn_in(family.name, problem, setup);
      value[family.name] = result.bound.value;
      check_posterior(result.posterior, pattern);
      const Posterior as_full = posterior_with_covariance(
          pattern, result.posterior.mean, posterior_covariance(result.posterior, pattern));
      const BoundValue again =
          evaluate_bound(problem.space.cost, setup.inputs, problem.prior, as_full);
      EXPECT_NEAR(again.value, result.bound.value, 1e-8 * again.value);
      EXPECT_NEAR(again.kl, result.bound.kl, 1e-7 * again.kl);
    }
    EXPECT_LT(value["rotated"], value["diagonal"]);
    EXPECT_LT(value["kronecker"], value["diagonal"]);
    EXPECT_LT(value["block"], value["rotated"] * (1 + 1e-9));
    EXPECT_LT(value["full"], value["block"] * (1 + 1e-9));
  }
}

// At the end the covariance of every column is the one that the stationary condition asks for.
TEST(Families, BlocksAreStationary) {
  const PaperProblem problem;
  const BoundSetup setup = problem.setup("data-driven", problem.evidence(2, 40));
  const PacBayesResult result = learn_in("block", problem, setup);
  Team team(1);
  const auto evaluation = make_evaluation(problem.space.cost, setup.inputs, problem.prior, team,
                                          result.posterior.frame);
  const std::vector<Matrix> precision = evaluation->stationary_precision(result.posterior);
  double off = 0, size = 0;
  for (Index j = 0; j < problem.space.coordinates.pattern.cols(); ++j) {
    const Matrix& wanted = precision[static_cast<size_t>(j)];
    const Matrix F = turn_of_column(*result.posterior.frame, j);
    const Vector V = result.posterior.variance.col(j).tail(F.rows());
    const Matrix C = F * V.asDiagonal() * F.transpose();
    off += (wanted * C - Matrix::Identity(F.rows(), F.rows())).squaredNorm();
    size += static_cast<double>(F.rows());
  }
  EXPECT_LT(off, 1e-3 * size);
}

// A prior of the shape M_G^-1 is the isotropic one of coordinates in which the cost has P = I.
TEST(Families, CostPriorIsIsotropicInCostCoordinates) {
  const PaperProblem problem;
  const System& system = problem.system;
  const ResponseSpace cost = make_response_space(
      system, {.affine = false, .start = Start::min_norm, .basis = Basis::cost});
  const BoundSetup setup = problem.setup("data-driven", problem.evidence(3, 40));
  const Matrix zero = Matrix::Zero(problem.prior.center.rows(), problem.prior.center.cols());
  const PacBayesResult there = minimize_bound(cost.cost, setup.inputs, {zero, 1.0});
  // T_u of both coordinates: Z here is rows Z there
  Matrix rows = problem.space.coordinates.T_u.inverse() * cost.coordinates.T_u;
  rows.triangularView<Eigen::StrictlyUpper>().setZero();
  const Vector sign = rows.diagonal().array().sign();
  rows = rows * sign.asDiagonal();
  const Matrix P = problem.space.cost.P;
  EXPECT_LT((rows * rows.transpose() * P - Matrix::Identity(P.rows(), P.cols())).norm(), 1e-9);
  const auto shape = std::make_shared<const PriorShape>(PriorShape{"cost", {}, rows, {}, {}});
  // the same posterior, seen in both coordinates
  Posterior moved = there.posterior;
  moved.mean = rows * (sign.asDiagonal() * there.posterior.mean);
  moved.frame =
      std::make_shared<const Frame>(Frame{problem.space.coordinates.pattern,
                                          {rows},
                                          std::vector<Index>(static_cast<size_t>(zero.cols()), 0),
                                          {},
                                          {}});
  const BoundValue seen =
      evaluate_bound(problem.space.cost, setup.inputs, {zero, 1.0, shape}, moved);
  EXPECT_NEAR(seen.value, there.bound.value, 1e-7 * seen.value);
  EXPECT_NEAR(seen.kl, there.bound.kl, 1e-6 * seen.kl);
  const PacBayesResult here =
      minimize_bound(problem.space.cost, setup.inputs, {zero, 1.0, shape}, {.frame = moved.frame});
  EXPECT_NEAR(here.bound.value, there.bound.value, 1e-5 * seen.value);  // and learned there
}

}  // namespace
}  // namespace loopcert::testing
