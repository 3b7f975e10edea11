#include "certificate/fixed_response.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "certificate/premises.hpp"
#include "certificate/tails.hpp"
#include "chance.hpp"
#include "data/moments.hpp"
#include "gamma_chance.hpp"
#include "loopcert/core/error.hpp"
#include "random_system.hpp"
#include "response/lqr.hpp"
#include "risk/risk.hpp"
#include "seed.hpp"

namespace loopcert::testing {
namespace {

TEST(ScaleFree, KnownFactors) {
  // 1/x at delta 0.05 for n = 25, 50, 100, 200.
  EXPECT_NEAR(1 / scale_free_factor(25, 0.05), 2.19, 0.005);
  EXPECT_NEAR(1 / scale_free_factor(50, 0.05), 1.70, 0.005);
  EXPECT_NEAR(1 / scale_free_factor(100, 0.05), 1.44, 0.005);
  EXPECT_NEAR(1 / scale_free_factor(200, 0.05), 1.29, 0.005);
  for (const Index n : {1, 7, 1000}) {
    const double x = scale_free_factor(n, 0.01);
    EXPECT_NEAR(x - 1 - std::log(x), 2 * std::log(100.0) / static_cast<double>(n), 1e-9);
    EXPECT_LT(x, 1);
  }
}

// Coverage on data sets drawn from the law: at most delta = 0.05.
TEST(FixedResponse, BothCertificatesCover) {
  const System system = double_integrator();
  const Response lqr = lqr_response(system);
  const Law white{Vector::Zero(22), 0.1 * Matrix::Identity(22, 22)};
  Law shifted{Vector::Constant(22, 0.2), ar1_covariance(system.sizes(), 0.8, 0.1)};
  Assumptions assumptions;
  assumptions.scale_bound = 0.1;
  constexpr Index sets = 3000;
  int violations = 0, violations_free = 0, violations_shifted = 0;
  const double cost = response_risk(system, lqr, law_moments(white));
  const double cost_shifted = response_risk(system, lqr, law_moments(shifted));
  for (std::uint64_t i = 0; i < sets; ++i) {
    const Evidence e = evidence_of(sample_disturbances(white, test_stream(i, 0), 6));
    const Evidence e_shifted = evidence_of(sample_disturbances(shifted, test_stream(i, 1), 6));
    const FixedSetting setting{system, lqr, assumptions, e, {{"chernoff", 0.05}}};
    const FixedSetting setting_shifted{system, lqr, assumptions, e_shifted, {{"chernoff", 0.05}}};
    violations += fixed_response_kind("hold-out").evaluate(setting).value < cost;
    violations_free += fixed_response_kind("hold-out-scale-free").evaluate(setting).value < cost;
    violations_shifted +=
        fixed_response_kind("hold-out-scale-free").evaluate(setting_shifted).value < cost_shifted;
  }
  EXPECT_LE(violations, most_of(sets, 0.05));
  EXPECT_LE(violations_free, most_of(sets, 0.05));
  EXPECT_LE(violations_shifted, most_of(sets, 0.05));
  EXPECT_GE(violations, least_of(sets, 0.05));  // exact: the scale bound is the covariance
}

// Where one of them fails the mean cost is below the delta-quantile of its law: they fail together.
TEST(FixedResponse, KindsOnTheMeanCostHoldOnOneEvent) {
  const System system = double_integrator();
  const Response lqr = lqr_response(system);
  Assumptions assumptions;
  assumptions.scale_bound = 0.13;
  assumptions.covariance_bound = 0.1 * Matrix::Identity(22, 22);
  const Law white{Vector::Zero(22), *assumptions.covariance_bound};
  const double cost = response_risk(system, lqr, law_moments(white));
  const Matrix M = weighted_response(system.cost, system.sizes(), lqr).M;
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(Matrix(0.1 * M.transpose() * M));
  const Vector s = eigen.eigenvalues().cwiseMax(1e-9 * eigen.eigenvalues().maxCoeff());
  constexpr Index n = 6;
  constexpr double delta = 0.3;
  int failed = 0;
  for (std::uint64_t i = 0; i < 100; ++i) {
    const Evidence e = evidence_of(sample_disturbances(white, test_stream(i, 2), n));
    double least = INFINITY;
    for (const char* name :
         {"hold-out", "hold-out-known", "hold-out-chi-square", "hold-out-scale-free"}) {
      const FixedResponseKind& kind = fixed_response_kind(name);
      least = std::min(
          least,
          kind.evaluate({system, lqr, assumptions, e, split_delta(kind.events, delta, {})}).value);
    }
    if (least >= cost) continue;
    ++failed;
    EXPECT_LE(chance_below(s, 0.5 * n, 0.5 * n * response_risk(system, lqr, e.moments)),
              delta * (1 + 1e-4));
  }
  EXPECT_LE(failed, most_of(100, delta));
  EXPECT_GE(failed, least_of(100, 0.2));
}

TEST(FixedResponse, RefusesMissingAssumptions) {
  const System system = double_integrator();
  const Response lqr = lqr_response(system);
  const Evidence e = evidence_of(random_disturbances(system.sizes(), 5, 1));
  Assumptions nothing;
  EXPECT_THROW(
      fixed_response_kind("hold-out").evaluate({system, lqr, nothing, e, {{"chernoff", 0.05}}}),
      InputError);
  nothing.model = "bounded";
  EXPECT_THROW(fixed_response_kind("hold-out-scale-free")
                   .evaluate({system, lqr, nothing, e, {{"chernoff", 0.05}}}),
               InputError);
  EXPECT_THROW(fixed_response_kind("hold-put"), InputError);
}

}  // namespace
}  // namespace loopcert::testing
