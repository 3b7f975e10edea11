#include "certificate/limits.hpp"

#include <gtest/gtest.h>

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <cmath>

#include "chance.hpp"
#include "input_error.hpp"
#include "random_system.hpp"
#include "response/lqr.hpp"
#include "risk/signals.hpp"
#include "seed.hpp"

namespace loopcert::testing {
namespace {

using boost::math::normal;

double z(double p) { return quantile(complement(normal(), p)); }

TEST(LimitsNumbers, ToleranceFactors) {
  // k(.95, .95): the tail beyond k deviations is 5 % at confidence 95 %.
  const Index n[] = {10, 20, 50, 100};
  const double unknown[] = {2.911, 2.396, 2.065, 1.927}, zero[] = {2.620, 2.233, 1.973, 1.863};
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(normal_tail_bound(unknown[i], n[i], 0.05), 0.05, 2e-4);
    const double q = quantile(boost::math::chi_squared(static_cast<double>(n[i])), 0.05) /
                     static_cast<double>(n[i]);
    EXPECT_NEAR(z(0.05) / std::sqrt(q), zero[i], 1e-3);
  }
}

TEST(LimitsNumbers, ClopperPearson) {
  EXPECT_LE(binomial_upper(0, 59, 0.05), 0.05);
  EXPECT_GT(binomial_upper(0, 58, 0.05), 0.05);
  EXPECT_LE(binomial_upper(0, 299, 0.05), 0.01);
  EXPECT_GT(binomial_upper(0, 298, 0.05), 0.01);
  EXPECT_EQ(binomial_upper(5, 5, 0.05), 1);
  for (const Index k : {0, 1, 3, 17}) {
    const double p = binomial_upper(k, 40, 0.1);
    EXPECT_NEAR(cdf(boost::math::binomial(40, p), static_cast<double>(k)), 0.1, 1e-6);
  }
}

TEST(LimitsNumbers, ViolationOfARow) {
  EXPECT_NEAR(violation(-1, 1, 0, 1 / z(0.025)), 0.05, 1e-12);
  EXPECT_NEAR(violation(-INFINITY, 1, 0.5, 0.5), 0.1586552539, 1e-9);
  EXPECT_EQ(violation(-1, 1, 1, 0.1), 1);  // the mean is at the limit
  EXPECT_EQ(violation(-1, 1, 0, 0), 0);
  EXPECT_EQ(violation(-1, 1, 0, NAN), 1);
  for (const double mean : {0.0, 0.3, -0.8}) {
    const double r = largest_deviation(-1, 1, mean, 0.05);
    EXPECT_NEAR(violation(-1, 1, mean, r), 0.05, 1e-9);
  }
  EXPECT_EQ(largest_deviation(-1, 1, 2, 0.05), 0);
}

Problem limited_problem(double h) {
  Problem problem;
  problem.system = double_integrator();
  Limits limits;
  limits.rows = {{"u0", Vector::Zero(2), Vector::Ones(1), -h, h, 0, 9},
                 {"x0", Vector::Unit(2, 0), Vector::Zero(1), -INFINITY, 2.5, 1, 10}};
  problem.limits = limits;
  return problem;
}

// How often a certificate says less than the truth, over many sets.
struct Count {
  Index wrong = 0, sets = 0;
};

// The joint probability by many draws, once.
double true_violation(const Problem& problem, const Response& response, const Law& law) {
  const Disturbances draws = sample_disturbances(law, test_stream(900, 1), 40000);
  const Violations found = violations_on(*problem.limits, problem.sizes(), response, draws.w);
  return problem.limits->each ? found.rows.maxCoeff() : found.episodes;
}

class LimitsCoverage : public ::testing::TestWithParam<std::tuple<const char*, double, bool>> {};

// With delta = 0.5 wrong ones can be counted. The truth is lowered by what its own draws may be
// off.
TEST_P(LimitsCoverage, FewAreWrong) {
  const auto [kind, delta, each] = GetParam();
  Problem problem = limited_problem(0.7);
  problem.limits->kind = kind;
  problem.limits->delta = delta;
  problem.limits->each = each;
  const Response response = lqr_response(problem.system);
  const Law law{Vector::Zero(22), 0.1 * Matrix::Identity(22, 22)};
  problem.disturbance.white = std::string(kind) == "limits-envelope";
  const double truth = true_violation(problem, response, law);
  const double surely = truth - sigmas * std::sqrt(truth / 40000);
  Count count;
  count.sets = test_count(400, 100);
  for (Index i = 0; i < count.sets; ++i) {
    const Disturbances data =
        sample_disturbances(law, test_stream(901, static_cast<std::uint64_t>(i)), 12);
    const Certificate c = certify_limits(problem, {UseOfData::fixed, {response}}, data).certificate;
    EXPECT_LE(c.value, 1);
    count.wrong += c.value < surely ? 1 : 0;
  }
  EXPECT_LE(count.wrong, most_of(count.sets, delta));
  if (std::string(kind) == "limits-count" && delta == 0.5 && !each) {
    EXPECT_GT(count.wrong, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, LimitsCoverage,
                         ::testing::Combine(::testing::Values("limits-tolerance", "limits-count",
                                                              "limits-envelope", "limits-best"),
                                            ::testing::Values(0.5, 0.05), ::testing::Bool()));

// Without a mean of zero: the tails of each side, by the noncentral t.
TEST(Limits, ToleranceWithAnUnknownMean) {
  Problem problem = limited_problem(1.2);
  problem.limits->kind = "limits-tolerance";
  problem.limits->delta = 0.5;
  problem.disturbance.zero_mean = false;
  const Response response = lqr_response(problem.system);
  const Law law{0.1 * Vector::Ones(22), 0.1 * Matrix::Identity(22, 22)};
  const double truth = true_violation(problem, response, law);
  const double surely = truth - sigmas * std::sqrt(truth / 40000);
  const Index sets = test_count(400, 100);
  Index wrong = 0;
  for (Index i = 0; i < sets; ++i) {
    const Disturbances data =
        sample_disturbances(law, test_stream(902, static_cast<std::uint64_t>(i)), 5);
    wrong +=
        certify_limits(problem, {UseOfData::fixed, {response}}, data).certificate.value < surely;
  }
  EXPECT_LE(wrong, most_of(sets, 0.5));
}

// The deviation of a mean response is at most the mean of the deviations.
TEST(Limits, FoldsAreAveraged) {
  Problem problem = limited_problem(0.8);
  problem.limits->kind = "limits-tolerance";
  problem.certificate.folds = 2;
  const Law law{Vector::Zero(22), 0.1 * Matrix::Identity(22, 22)};
  const Disturbances data = sample_disturbances(law, test_stream(903, 0), 60);
  Response half = lqr_response(problem.system);
  half = complete_response(problem.system, 0.5 * half.Phi_u, half.phi_u);
  const Deployment deployment{UseOfData::cross, {lqr_response(problem.system), half}};
  const LimitsBound bound = certify_limits(problem, deployment, data);
  EXPECT_EQ(bound.certificate.events.size(), 2u);
  EXPECT_NEAR(bound.certificate.confidence, 0.95, 1e-12);
  // Recomputed from the definition.
  const Index C = problem.limits->count();
  const RowResponses rows =
      row_responses(*problem.limits, problem.sizes(), deployed_response(deployment));
  Vector deviation = Vector::Zero(C);
  const std::vector<CertifyingPart> parts = certifying_parts(problem, deployment, data);
  for (size_t k = 0; k < 2; ++k) {
    const RowResponses own =
        row_responses(*problem.limits, problem.sizes(), deployment.responses[k]);
    const Matrix values = own.a * parts[k].data.w.transpose();
    const auto m = static_cast<double>(parts[k].data.n());
    const double q = quantile(boost::math::chi_squared(m), 0.05 / 2 / static_cast<double>(C)) / m;
    deviation += 0.5 * (values.rowwise().squaredNorm() / m / q).cwiseSqrt();
  }
  double sum = 0;
  for (Index c = 0; c < C; ++c) {
    sum += cdf(complement(normal(), rows.high(c) / deviation(c)));
    if (std::isfinite(rows.low(c))) sum += cdf(normal(), rows.low(c) / deviation(c));
  }
  EXPECT_NEAR(bound.certificate.value, std::min(1.0, sum), 1e-6);
  problem.limits->kind = "limits-count";
  EXPECT_TRUE(
      contains(input_error([&] { certify_limits(problem, deployment, data); }), "one response"));
}

// A path whose last members are too bold: claims stay at the target, and are seldom false.
TEST(Limits, APathIsTestedInItsOrder) {
  Problem problem = limited_problem(1.0);
  problem.limits->kind = "limits-tolerance";
  problem.limits->delta = 0.5;
  problem.limits->probability = 0.5;
  problem.certificate.fraction = 0.5;
  const Law law{Vector::Zero(22), 0.1 * Matrix::Identity(22, 22)};
  const Response lqr = lqr_response(problem.system);
  std::vector<Response> path;
  std::vector<double> truth;
  for (const double gain : {0.9, 0.95, 1.0, 1.1, 1.25}) {
    path.push_back(complete_response(problem.system, gain * lqr.Phi_u, lqr.phi_u));
    truth.push_back(true_violation(problem, path.back(), law));
  }
  const Index sets = test_count(400, 100);
  Index wrong = 0, passed = 0;
  for (Index i = 0; i < sets; ++i) {
    const Disturbances data =
        sample_disturbances(law, test_stream(904, static_cast<std::uint64_t>(i)), 40);
    const LimitsPath found = test_path(problem, path, data);
    passed += found.passed;
    if (found.passed) {
      EXPECT_EQ(found.bound.certificate.value, 0.5);
    } else {
      EXPECT_EQ(found.place, 0u);
    }
    wrong += found.bound.certificate.value < truth[found.place] - 0.01;
  }
  EXPECT_LE(wrong, most_of(sets, 0.5));
  EXPECT_GT(passed, 0);
}

TEST(Limits, RobustSets) {
  Problem problem = limited_problem(1.0);
  const Response lqr = lqr_response(problem.system);
  const RowResponses rows = row_responses(*problem.limits, problem.sizes(), lqr);
  problem.limits->kind = "limits-robust";
  for (const std::string shape : {"box", "steps", "radius"}) {
    problem.limits->robust = BoundedSet{shape, Vector::Constant(shape == "box" ? 2 : 1, 0.05)};
    // The worst disturbance of the set for each row, from the definition.
    double worst = 0;
    for (Index c = 0; c < rows.a.rows(); ++c) {
      double reach = 0;
      if (shape == "box") reach = 0.05 * rows.a.row(c).cwiseAbs().sum();
      if (shape == "radius") reach = 0.05 * rows.a.row(c).norm();
      for (Index t = 0; shape == "steps" && t <= 10; ++t)
        reach += 0.05 * rows.a.row(c).segment(2 * t, 2).norm();
      worst = std::max(worst, reach / rows.high(c));
    }
    const auto value = [&](double factor) {
      problem.limits->robust->size.setConstant(0.05 * factor);
      return certify_limits(problem, {UseOfData::fixed, {lqr}}, {Matrix(0, 22)}).certificate.value;
    };
    EXPECT_EQ(value(0.999 / worst), 0) << shape;
    EXPECT_EQ(value(1.001 / worst), 1) << shape;
  }
}

// The variance of every row under the true colour is below what is certified.
TEST(Limits, EnvelopeOfAColour) {
  Problem problem = limited_problem(1.5);
  problem.limits->kind = "limits-envelope";
  problem.limits->delta = 0.5;
  problem.disturbance.autoregressive = 1;
  const Law law{Vector::Zero(22), ar1_covariance(problem.sizes(), 0.8, 0.1)};
  const Response lqr = lqr_response(problem.system);
  const Vector truth = violations_under(*problem.limits, problem.sizes(), lqr, law).rows;
  const Index sets = test_count(100, 20);
  Index wrong = 0;
  for (Index i = 0; i < sets; ++i) {
    const Disturbances data =
        sample_disturbances(law, test_stream(905, static_cast<std::uint64_t>(i)), 60);
    const LimitsBound bound = certify_limits(problem, {UseOfData::whole, {lqr}}, data);
    wrong += (bound.rows.array() < truth.array() * (1 - 1e-9)).any();
  }
  EXPECT_LE(wrong, most_of(sets, 0.5));
}

TEST(Limits, WhatIsNotGrantedIsSaid) {
  Problem problem = limited_problem(1.0);
  const Response lqr = lqr_response(problem.system);
  const Law law{Vector::Zero(22), 0.1 * Matrix::Identity(22, 22)};
  const Disturbances data = sample_disturbances(law, test_stream(906, 0), 20);
  problem.limits->kind = "limits-assumed";
  EXPECT_TRUE(contains(input_error([&] {
                         certify_limits(problem, {UseOfData::fixed, {lqr}}, data);
                       }),
                       "covariance_bound"));
  problem.disturbance.scale_bound = 0.1;
  const LimitsBound bound = certify_limits(problem, {UseOfData::fixed, {lqr}}, data);
  EXPECT_TRUE(bound.certificate.events.empty());
  const Vector exact = violations_under(*problem.limits, problem.sizes(), lqr, law).rows;
  EXPECT_LE((bound.rows - exact).cwiseAbs().maxCoeff(), 1e-12);
  problem.disturbance.model = "any";
  problem.limits->kind = "limits-tolerance";
  EXPECT_TRUE(contains(input_error([&] {
                         certify_limits(problem, {UseOfData::fixed, {lqr}}, data);
                       }),
                       "gaussian"));
  problem.limits->kind = "limits-best";
  EXPECT_EQ(certify_limits(problem, {UseOfData::fixed, {lqr}}, data).certificate.chosen,
            "limits-count");
}

}  // namespace
}  // namespace loopcert::testing
