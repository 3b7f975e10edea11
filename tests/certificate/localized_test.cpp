#include "certificate/localized.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "certificate/cumulant.hpp"
#include "certificate/premises.hpp"
#include "certificate/sampled_cgf.hpp"
#include "chance.hpp"
#include "loopcert/core/error.hpp"
#include "random_system.hpp"
#include "response/space.hpp"
#include "risk/risk.hpp"
#include "seed.hpp"

namespace loopcert::testing {
namespace {

struct Localized : ::testing::Test {
  System system = double_integrator();
  ResponseSpace space = make_response_space(system, {});
  Law law{Vector::Zero(22), 0.1 * Matrix::Identity(22, 22)};
  Posterior posterior{0.1 * random_coordinates(space.coordinates.pattern, 3),
                      unpack(space.coordinates.pattern, Vector::Constant(110, 0.02))};
};

// log E_rho exp(lambda L(alpha)) by sampling.
TEST_F(Localized, ClosedFormEqualsMonteCarlo) {
  const LocalizedMoment moment = localized_moment(space, law.covariance, posterior);
  const double end = *admissible_end(moment);
  const double lambda = 0.05 * end;
  const Index N = 50000;
  Vector sample(N);
  for (Index i = 0; i < N; ++i)
    sample(i) = std::exp(lambda * risk(space.cost, law.covariance,
                                       sample_posterior(posterior, test_stream(5, 5),
                                                        static_cast<std::uint64_t>(i))));
  const double error =
      std::sqrt((sample.array() - sample.mean()).square().mean() / static_cast<double>(N));
  EXPECT_NEAR(std::exp(log_exponential_moment(moment, lambda)), sample.mean(), sigmas * error);
  EXPECT_LT(error, 0.01 * sample.mean());
}

TEST_F(Localized, IntervalIsThatOfTheDefinition) {
  const LocalizedMoment moment = localized_moment(space, law.covariance, posterior);
  const double end = *admissible_end(moment);
  EXPECT_TRUE(std::isfinite(log_exponential_moment(moment, 0.999 * end)));
  EXPECT_FALSE(std::isfinite(log_exponential_moment(moment, 1.001 * end)));
  // Uniform variance v: the end is 1 / (2 v ||G||), with G column by column from the operator.
  const Index p = space.coordinates.p();
  Matrix G(p, p);
  for (Index k = 0; k < p; ++k)
    G.col(k) = pack(
        space.coordinates.pattern,
        apply_G(space.cost, law.covariance, unpack(space.coordinates.pattern, Vector::Unit(p, k))));
  const double norm = Eigen::SelfAdjointEigenSolver<Matrix>(G).eigenvalues().maxCoeff();
  EXPECT_NEAR(end, 1 / (2 * 0.02 * norm), 1e-10 * end);
}

// It bounds the joint CGF, which the diagnostic estimates, and both lie above E_rho of the CGF.
TEST_F(Localized, DominatesTheJointCgf) {
  const LocalizedMoment moment = localized_moment(space, law.covariance, posterior);
  const double lambda = 0.01 * *admissible_end(moment);
  const JointCgfDiagnostic joint = joint_cgf_diagnostic(system, space, law, posterior, lambda,
                                                        test_count(20000), test_stream(7, 0));
  EXPECT_LT(joint.estimate - sigmas * joint.standard_error, log_exponential_moment(moment, lambda));
  double mean_cgf = 0;
  for (std::uint64_t i = 0; i < 500; ++i) {
    const Matrix Z = sample_posterior(posterior, test_stream(8, 8), i);
    const auto y =
        weighted_response(system.cost, system.sizes(), response_at(system, space.coordinates, Z));
    mean_cgf += exact_gaussian_cgf(gaussian_trajectory(y.M, y.m, Vector::Zero(22), law.covariance),
                                   lambda) /
                500;
  }
  EXPECT_GT(joint.estimate + sigmas * joint.standard_error, mean_cgf);
}

TEST_F(Localized, EmptyIntervalIsRefused) {
  posterior.variance(9, 0) = INFINITY;
  EXPECT_FALSE(admissible_end(localized_moment(space, law.covariance, posterior)).has_value());
}

// The pointwise radius collapses as the posterior widens and as more draws are looked at; the
// posterior-localized one is a number.
TEST_F(Localized, PointwiseRadiusCollapses) {
  double last = INFINITY;
  for (const double scale : {0.01, 0.1, 1.0}) {
    posterior.variance = unpack(space.coordinates.pattern, Vector::Constant(110, scale * scale));
    double smallest = INFINITY;
    for (std::uint64_t i = 0; i < 50; ++i)
      smallest =
          std::min(smallest, pointwise_radius(system, space,
                                              sample_posterior(posterior, test_stream(2, 2), i),
                                              law.covariance));
    EXPECT_LT(smallest, last);
    last = smallest;
  }
  EXPECT_GT(*admissible_end(localized_moment(space, law.covariance, posterior)), 0);
}

TEST_F(Localized, CertificateIsValidAndConservative) {
  Assumptions assumptions;
  assumptions.law = law;
  assumptions.scale_bound = 0.1;
  const Evidence evidence = evidence_of(sample_disturbances(law, test_stream(3, 0), 40));
  const Prior prior{Matrix::Zero(10, 22), 1.0};
  const Setting setting{system, space, assumptions, evidence, {{"pac_bayes", 0.05}}};
  const Certificate localized =
      evaluate_certificate(posterior_kind("posterior-localized"), setting, prior, posterior);
  // log E exp(lambda L) >= lambda E L: the complexity alone is at least the posterior's risk.
  const double average =
      risk(space.cost, law.covariance, posterior.mean) +
      curvature_diagonal(space.cost, law.covariance).cwiseProduct(posterior.variance).sum();
  EXPECT_GT(localized.terms.back().value, average);
}

// E_rho of the exact CGF: the sampled upper bound lies above the truth and below the rank-aware.
TEST_F(Localized, SampledCgfIsBetweenTruthAndClosedForm) {
  const double lambda = 0.8;
  const Matrix& S = law.covariance;
  const double C = quartic_moment(space.cost, posterior, S, S);
  const SampledCgf sampled = sampled_cgf(system, space, posterior, Vector::Zero(22), S, lambda, C,
                                         0, 0.01, 1000, test_stream(1, 1));
  double truth = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const Matrix Z = sample_posterior(posterior, test_stream(99, 1), i);
    const auto y =
        weighted_response(system.cost, system.sizes(), response_at(system, space.coordinates, Z));
    truth += exact_gaussian_cgf(gaussian_trajectory(y.M, y.m, Vector::Zero(22), S), lambda) / 1000;
  }
  EXPECT_GT(sampled.upper(), truth);
  EXPECT_LT(sampled.upper(), sampled.closed_form);
  EXPECT_LT(sampled.closed_form, lambda * lambda * C);
}

TEST(EmpiricalBernstein, CoversAKnownMean) {
  // Uniform on [0, 1], delta = 0.1: the bound fails at most 10 % of the time.
  int failures = 0;
  for (std::uint64_t i = 0; i < 4000; ++i) {
    Vector u(50);
    fill_uniform(test_stream(i, 3), 0, {u.data(), 50});
    failures += empirical_bernstein_lower(u, 1.0, 0.1) > 0.5;
  }
  EXPECT_LE(failures, most_of(4000, 0.1));
}

}  // namespace
}  // namespace loopcert::testing
