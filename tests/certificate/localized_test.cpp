#include "certificate/localized.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <numbers>

#include "certificate/cumulant.hpp"
#include "certificate/premises.hpp"
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

// log E exp(lambda L) >= lambda E L: with it alone the complexity is at least the posterior's risk.
// The cumulant itself is below that, and still not below E_rho of the cumulants.
TEST_F(Localized, GaussianLawIsFarBelowAnyLaw) {
  Assumptions assumptions;
  assumptions.law = law;
  assumptions.scale_bound = 0.1;
  const Evidence evidence = evidence_of(sample_disturbances(law, test_stream(3, 0), 40));
  const Prior prior{Matrix::Zero(10, 22), 0.2};
  const auto complexity = [&] {
    return evaluate_certificate(posterior_kind("posterior-localized"),
                                {system, space, assumptions, evidence, {{"pac_bayes", 0.05}}},
                                prior, posterior)
        .terms.back()
        .value;
  };
  const double gaussian = complexity();
  assumptions.model = "any";
  const double any = complexity();
  const double average =
      risk(space.cost, law.covariance, posterior.mean) +
      curvature_diagonal(space.cost, law.covariance).cwiseProduct(posterior.variance).sum();
  EXPECT_GT(any, average);
  EXPECT_LT(gaussian, 0.8 * any);
}

// One coordinate, one step of noise: E_rho,w exp(lambda (L - l)) by quadrature over alpha, the
// integral over w in closed form.
TEST(JointCgf, IsAboveTheIntegralForOneCoordinate) {
  System system;
  system.plant.T = 1;
  system.plant.A = {Matrix{{0.9}}};
  system.plant.B = {Matrix{{0.7}}};
  system.cost.Q = {Matrix{{1.0}}};
  system.cost.R = {Matrix{{0.3}}};
  system.cost.P = Matrix{{2.0}};
  const ResponseSpace space = make_response_space(system, {});
  ASSERT_EQ(space.coordinates.p(), 1);
  const QuadraticForm& form = space.cost;
  int close = 0;
  for (const double v : {0.01, 0.3, 2.0})
    for (const double shift : {0.0, 1.5}) {
      const Posterior posterior{Matrix{{shift, 0}}, Matrix{{v, 0}}};
      const Matrix covariance{{1.0, 0.2}, {0.2, 0.5}};
      const LocalizedMoment moment = localized_moment(space, covariance, posterior);
      const auto L = [&](double alpha) {
        return (gram(form, Matrix{{alpha, 0}}) * covariance).trace();
      };
      const double curve = (L(1) + L(-1)) / 2 - L(0), slope = (L(1) - L(-1)) / 2;
      for (const double share : {0.01, 0.1, 0.4, 0.8}) {
        const double lambda = share * *admissible_end(moment);
        // Where e^{lambda L} times the density of alpha is.
        const double sd = std::sqrt(v / (1 - share));
        const double middle = (shift / v + lambda * slope) / (1 / v - 2 * lambda * curve);
        const double moment_there = log_exponential_moment(moment, lambda);
        double integral = 0;
        for (int k = -2000; k <= 2000; ++k) {
          const double alpha = middle + sd * k / 200, off = alpha - shift;
          const Matrix A =
              Matrix::Identity(2, 2) + 2 * lambda * covariance * gram(form, Matrix{{alpha, 0}});
          integral += std::exp(lambda * L(alpha) - off * off / (2 * v) - moment_there) /
                      std::sqrt(A.determinant()) * sd / 200;
        }
        const double truth =
            moment_there + std::log(integral / std::sqrt(2 * std::numbers::pi * v));
        const double bound =
            joint_cgf_bound(form, posterior, Vector::Zero(2), covariance, moment, lambda);
        EXPECT_GE(bound, truth - 1e-9 * moment_there) << v << " " << shift << " " << share;
        EXPECT_LE(bound, moment_there);
        if (lambda * L(shift) < 0.2) {
          EXPECT_LE(bound, 1.2 * truth) << v << " " << shift << " " << share;
          ++close;
        }
      }
    }
  EXPECT_GT(close, 0);
}

// The two inequalities of docs/theory/posterior-localized.md about numbers.
TEST(JointCgf, ExponentialOfAShrunkMean) {
  for (double x = 0.01; x < 60; x *= 1.07)
    for (double V = 1e-4; V < 1e6; V *= 1.3)
      EXPECT_LE(std::exp(-x * x / (x + V / 2)),
                std::exp(-x) + V * (std::exp(-x) / 2 + 0.01) + 1e-15)
          << x << " " << V;
  // Both terms fall: on [a, b] the difference is at most the first at a minus the second at b.
  const auto first = [](double x) {
    const double c = x + 2, y = (c - std::sqrt(c * c - 4 * c)) / 2;
    return y * y * std::exp(-y) / (x * c);
  };
  for (int k = 0; k < 1600; ++k) {
    const double a = 2 + k / 400.0, b = 2 + (k + 1) / 400.0;
    EXPECT_LT(first(a) - std::exp(-b) / 2, 0.0099) << a;
  }
  EXPECT_LT(first(6), 0.0099);
}

// x = lambda |y|^2 for y ~ N(mu, diag s): E e^-x <= exp(-m^2/(m + V/2)), m and V mean and variance.
TEST(JointCgf, QuadraticFormsOfGaussians) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Index r = 1 + static_cast<Index>(seed % 5);
    const Vector t = 3 * random_matrix(r, 1, seed).cwiseAbs2();
    const Vector b = (seed % 3 == 0 ? 0 : 2) * random_matrix(r, 1, seed + 1000).cwiseAbs2();
    const double log_mean =
        -0.5 * (1 + 2 * t.array()).log().sum() - (b.array() / (1 + 2 * t.array())).sum();
    const double m = t.sum() + b.sum(), V = 2 * t.squaredNorm() + 4 * t.dot(b);
    EXPECT_LE(log_mean, -m * m / (m + V / 2) + 1e-12);
  }
}

}  // namespace
}  // namespace loopcert::testing
