#include "learning/shrinkage.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "data/moments.hpp"
#include "learning/minimizers.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/data/law.hpp"
#include "random_system.hpp"
#include "response/lqr.hpp"
#include "response/space.hpp"
#include "risk/risk.hpp"
#include "seed.hpp"

namespace loopcert::testing {
namespace {

class RandomShrinkage : public ::testing::TestWithParam<int> {
 protected:
  RandomShrinkage() : seed(static_cast<std::uint64_t>(GetParam())) {
    Shape shape = random_shape(seed);
    system = random_system(shape, seed);
    space = make_response_space(system, {.affine = shape.offset || seed % 2 == 0});
    data = random_disturbances(system.sizes(), 9, seed);
    Sigma = moment_matrix(sample_moments(data), space.coordinates.pattern.constant);
  }
  std::uint64_t seed;
  System system;
  ResponseSpace space;
  Disturbances data;
  Matrix Sigma;
};

// g = 1 is LQR by the Riccati recursion, which shares no code with the factorization.
TEST_P(RandomShrinkage, WhiteEndIsLqr) {
  const Matrix Z =
      minimize_risk(space.cost, white_moment(Sigma, space.coordinates.pattern.constant)).Z;
  const Response learned = response_at(system, space.coordinates, Z);
  const Response lqr = lqr_response(system);
  EXPECT_LT((learned.Phi_u - lqr.Phi_u).norm(), 1e-8 * (1 + lqr.Phi_u.norm()));
  EXPECT_LT((learned.phi_u - lqr.phi_u).norm(), 1e-8 * (1 + lqr.phi_u.norm()));
}

TEST_P(RandomShrinkage, MomentIsAMixture) {
  const bool constant = space.coordinates.pattern.constant;
  const Index n_x = system.sizes().n_x, d_w = system.sizes().d_w();
  const auto shrunk = [&](double g) { return shrunk_moment(Sigma, constant, n_x, g); };
  EXPECT_LT((shrunk(0) - Sigma).norm(), 1e-12 * Sigma.norm());
  const Matrix half = shrunk(0.5);
  EXPECT_LT((half - 0.5 * (shrunk(0) + shrunk(1))).norm(), 1e-12 * Sigma.norm());
  // The size of every entry stays, and so does the mean; at g = 1 the steps are uncorrelated.
  EXPECT_LT((half.diagonal() - Sigma.diagonal()).norm(), 1e-12 * Sigma.norm());
  if (constant) {
    EXPECT_EQ(half.row(0), Sigma.row(0));
  }
  const Vector mean = constant ? Vector(Sigma.col(0).tail(d_w)) : Vector::Zero(d_w);
  const Matrix C = shrunk(1).bottomRightCorner(d_w, d_w) - mean * mean.transpose();
  for (Index i = 0; i < d_w; ++i)
    for (Index j = 0; j < d_w; ++j)
      if (i / n_x != j / n_x) {
        EXPECT_NEAR(C(i, j), 0, 1e-12 * Sigma.norm());
      }
}

// Every entry of a state in a unit of its own, at random from 1e-6 to 1e6, and a force that does
// not reach all states: the moment goes with the units, and nobody can tell the response.
TEST_P(RandomShrinkage, NoUnitMatters) {
  const Index n_x = system.sizes().n_x;
  if (n_x < 2) return;
  const Index constant = space.coordinates.pattern.constant ? 1 : 0;
  data.w.col(n_x).setZero();  // w_0 has an entry that is always zero
  Sigma = moment_matrix(sample_moments(data), constant == 1);
  Vector unit = Vector::Ones(Sigma.rows());
  for (Index j = constant; j < unit.size(); ++j)
    unit(j) = std::pow(10.0, 6 * std::tanh(random_matrix(n_x, 1, seed + 9)((j - constant) % n_x)));
  const Matrix scaled = unit.asDiagonal() * Sigma * unit.asDiagonal();
  const Matrix expected = shrunk_moment(Sigma, constant == 1, n_x, 0.3);
  const Matrix found = shrunk_moment(scaled, constant == 1, n_x, 0.3);
  for (Index i = 0; i < Sigma.rows(); ++i)
    for (Index j = 0; j < Sigma.cols(); ++j) {
      EXPECT_NEAR(found(i, j), unit(i) * unit(j) * expected(i, j),
                  1e-12 * unit(i) * unit(j) * std::sqrt(expected(i, i) * expected(j, j)));
    }
}

TEST_P(RandomShrinkage, CostsOfTrajectoriesAreThoseOfTheResponse) {
  const Matrix Z = random_coordinates(space.coordinates.pattern, seed + 3);
  const WeightedResponse y =
      weighted_response(system.cost, system.sizes(), response_at(system, space.coordinates, Z));
  const Vector costs =
      trajectory_costs(space.cost, extended_rows(data, space.coordinates.pattern.constant), Z);
  for (Index i = 0; i < data.n(); ++i) {
    const double direct = (y.M * data.w.row(i).transpose() + y.m).squaredNorm();
    EXPECT_NEAR(costs(i), direct, 1e-8 * (1 + direct));
  }
  EXPECT_NEAR(costs.mean(), risk(space.cost, Sigma, Z), 1e-9 * costs.mean());
}

// The table by the definition: one fold and one candidate at a time, through responses.
TEST_P(RandomShrinkage, CrossValidationIsItsDefinition) {
  const ShrinkageTable table = cross_validate_shrinkage(space.cost, data, 3);
  ASSERT_EQ(table.g.size(), table.difference.size());
  EXPECT_EQ(table.g.front(), 1);
  EXPECT_EQ(table.difference.front(), 0);
  for (const size_t c : {size_t{4}, size_t{12}}) {
    Vector difference(data.n());
    for (Index i = 0; i < data.n(); ++i) {
      std::vector<Index> others;
      for (Index j = 0; j < data.n(); ++j)
        if (j % 3 != i % 3) others.push_back(j);
      const Matrix train = moment_matrix(sample_moments(select_rows(data, others)),
                                         space.coordinates.pattern.constant);
      const auto cost = [&](const Matrix& moment) {
        const Matrix Z = minimize_risk(space.cost, moment).Z;
        const WeightedResponse y = weighted_response(system.cost, system.sizes(),
                                                     response_at(system, space.coordinates, Z));
        return (y.M * data.w.row(i).transpose() + y.m).squaredNorm();
      };
      const bool constant = space.coordinates.pattern.constant;
      Matrix moment = shrunk_moment(train, constant, system.sizes().n_x, table.g[c]);
      const Index first = constant ? 1 : 0;
      double average = 0;  // what an entry of w costs at the start
      for (Index j = first; j < moment.rows(); ++j)
        average += space.cost.K_0(j, j) * train(j, j) / static_cast<double>(system.sizes().d_w());
      for (Index j = first; j < moment.rows(); ++j)
        if (space.cost.K_0(j, j) > 0) moment(j, j) += 1e-4 * average / space.cost.K_0(j, j);
      difference(i) = cost(moment) - cost(white_moment(train, constant));
    }
    const double mean = difference.mean(), size = 1e-8 * (1 + difference.cwiseAbs().maxCoeff());
    EXPECT_NEAR(table.difference[c], mean, size);
    const double variance = (difference.array() - mean).square().sum() / 8;
    EXPECT_NEAR(table.standard_error[c], std::sqrt(variance / 9), size);
  }
}

INSTANTIATE_TEST_SUITE_P(Random, RandomShrinkage, ::testing::Range(1, 13));

// Coloured noise is worth leaving LQR for, white noise is not: of 6,000 data sets none kept LQR
// where the noise is coloured. Five of twenty then have probability 1e-10.
TEST(Shrinkage, LeavesLqrForColouredNoiseOnly) {
  const System system = double_integrator();
  const ResponseSpace space = make_response_space(system, {});
  const Index d = system.sizes().d_w();
  const Law coloured{Vector::Zero(d), ar1_covariance(system.sizes(), 0.8, 0.1)};
  const Law white{Vector::Zero(d), 0.1 * Matrix::Identity(d, d)};
  int left_for_coloured = 0, left_for_white = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto leaves = [&](const Law& law) {
      const ShrinkageTable table =
          cross_validate_shrinkage(space.cost, sample_disturbances(law, test_stream(seed, 0), 50));
      return gain_of(table.each.col(static_cast<Index>(table.best))).clear;
    };
    left_for_coloured += leaves(coloured) ? 1 : 0;
    left_for_white += leaves(white) ? 1 : 0;
  }
  EXPECT_GE(left_for_coloured, 16);
  EXPECT_LE(left_for_white, 12);
}

TEST(Shrinkage, RefusesWhatCannotBeCrossValidated) {
  const System system = double_integrator();
  const ResponseSpace space = make_response_space(system, {});
  EXPECT_THROW(cross_validate_shrinkage(space.cost, {Matrix::Ones(1, 22)}), InputError);
  EXPECT_THROW(cross_validate_shrinkage(space.cost, {Matrix::Zero(5, 22)}), InputError);
}

}  // namespace
}  // namespace loopcert::testing
