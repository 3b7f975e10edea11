// Where the posterior stays spread: what the page draws, by dense matrices of one direction each.
#include <gtest/gtest.h>

#include <cmath>

#include "controller/closed_loop.hpp"
#include "delivery/describe.hpp"
#include "random_system.hpp"
#include "response/response.hpp"
#include "response/space.hpp"

namespace loopcert::testing {
namespace {

struct Described {
  RunParts parts;
  ResponseSpace space;
};

Described random_run(std::uint64_t seed) {
  Described run;
  Problem problem;
  problem.system = random_system(random_shape(seed), seed);
  problem.response.affine = seed % 2 == 0;
  run.space = make_response_space(problem.system, problem.response);
  const CausalPattern& pattern = run.space.coordinates.pattern;
  const Matrix mean = random_coordinates(pattern, seed + 1);
  run.parts.posterior =
      Posterior{mean, random_coordinates(pattern, seed + 2).array().abs2().matrix()};
  run.parts.controller =
      recover_controller(response_at(problem.system, run.space.coordinates, mean), problem.sizes());
  run.parts.data = random_disturbances(problem.sizes(), 7, seed + 3);
  run.parts.problem = problem;
  run.parts.record = nlohmann::json::object();
  return run;
}

TEST(Directions, AreThoseOfTheDenseMatrices) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const Described run = random_run(10 * seed + seed % 2);
    const System& system = run.parts.problem->system;
    const CausalPattern& pattern = run.space.coordinates.pattern;
    const report::RunReport page = describe_run(run.parts);
    ASSERT_EQ(page.direction_size.size(), pattern.count());
    const auto weighted = [&](const Vector& alpha) {
      const Matrix Z = unpack(pattern, alpha);
      return weighted_response(system.cost, system.sizes(),
                               response_at(system, run.space.coordinates, Z));
    };
    const WeightedResponse zero = weighted(Vector::Zero(pattern.count()));
    for (Index k = 0; k < pattern.count(); ++k) {
      const WeightedResponse one = weighted(Vector::Unit(pattern.count(), k));
      const Matrix M_k = one.M - zero.M;
      const Vector m_k = one.m - zero.m;
      const double size = std::sqrt(M_k.squaredNorm() + m_k.squaredNorm());
      EXPECT_NEAR(page.direction_size(k), size, 1e-9 * (1 + size));
      double curvature = 0;  // (G_hat)_kk = mean of ||M_k w + m_k||^2
      for (Index i = 0; i < 7; ++i)
        curvature += (M_k * run.parts.data.w.row(i).transpose() + m_k).squaredNorm() / 7;
      EXPECT_NEAR(page.direction_curvature(k), curvature, 1e-9 * (1 + curvature));
    }
    const Vector deviation = pack(pattern, run.parts.posterior->variance.cwiseSqrt());
    EXPECT_EQ(page.direction_deviation, deviation);
  }
}

// A posterior of other coordinates, whose mean is another response here, is not drawn.
TEST(Directions, AreLeftOutForAPosteriorOfOtherCoordinates) {
  Described run = random_run(3);
  run.parts.posterior->mean +=
      unpack(run.space.coordinates.pattern, Vector::Ones(run.space.coordinates.pattern.count()));
  EXPECT_EQ(describe_run(run.parts).direction_size.size(), 0);
  run = random_run(3);
  run.parts.data = {};
  EXPECT_EQ(describe_run(run.parts).direction_curvature.size(), 0);
  EXPECT_GT(describe_run(run.parts).direction_size.size(), 0);
}

}  // namespace
}  // namespace loopcert::testing
