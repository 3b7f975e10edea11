// Every kind for one fixed response: its value by another route, its coverage, what it refuses.
#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>

#include "certificate/bernoulli.hpp"
#include "certificate/fixed_response.hpp"
#include "certificate/largest_cost.hpp"
#include "certificate/premises.hpp"
#include "chance.hpp"
#include "data/moments.hpp"
#include "input_error.hpp"
#include "loopcert/core/error.hpp"
#include "random_system.hpp"
#include "response/lqr.hpp"
#include "risk/risk.hpp"
#include "seed.hpp"

namespace loopcert::testing {
namespace {

struct Example {
  System system = double_integrator();
  Response lqr = lqr_response(system);
  Assumptions assumptions;

  Certificate certificate(const std::string& name, const Evidence& e, double delta = 0.05) const {
    const FixedResponseKind& kind = fixed_response_kind(name);
    return kind.evaluate({system, lqr, assumptions, e, split_delta(kind.events, delta, {})});
  }
  std::string refused(const std::string& name, const Evidence& e) const {
    return input_error([&] { certificate(name, e); });
  }
};

// Mean cost by running over the rows.
double mean_cost(const Example& x, const Disturbances& data) {
  const WeightedResponse y = weighted_response(x.system.cost, x.system.sizes(), x.lqr);
  double sum = 0;
  for (Index i = 0; i < data.n(); ++i) sum += (y.M * data.w.row(i).transpose() + y.m).squaredNorm();
  return sum / static_cast<double>(data.n());
}

TEST(ChiSquare, IsTheQuantile) {
  const Example x;
  const Disturbances data = random_disturbances(x.system.sizes(), 9, 4);
  const double quantile = boost::math::quantile(boost::math::chi_squared(9), 0.05);
  const Certificate c = x.certificate("hold-out-chi-square", evidence_of(data));
  EXPECT_NEAR(c.value, 9 * mean_cost(x, data) / quantile, 1e-10 * c.value);
  EXPECT_EQ(c.subject, Subject::controller);
  EXPECT_FALSE(is_difference(c));
  EXPECT_NEAR(c.confidence, 0.95, 1e-12);
}

// A covariance of rank one makes the bound exact: it fails with probability delta = 0.05. With the
// full spectrum it may only fail more rarely.
TEST(ChiSquare, FailsExactlyAsOftenAsItMay) {
  Example x;
  const Matrix v = random_matrix(22, 1, 3);
  const Law single{Vector::Zero(22), v * v.transpose()};
  const Law coloured{Vector::Zero(22), ar1_covariance(x.system.sizes(), 0.8, 0.1)};
  const double cost = response_risk(x.system, x.lqr, law_moments(single));
  const double cost_coloured = response_risk(x.system, x.lqr, law_moments(coloured));
  int failed = 0, failed_coloured = 0;
  for (std::uint64_t i = 0; i < 4000; ++i) {
    const Evidence e = evidence_of(sample_disturbances(single, test_stream(i, 0), 3));
    failed += x.certificate("hold-out-chi-square", e).value < cost;
    const Evidence e_coloured = evidence_of(sample_disturbances(coloured, test_stream(i, 1), 3));
    failed_coloured += x.certificate("hold-out-chi-square", e_coloured).value < cost_coloured;
  }
  EXPECT_GE(failed, least_of(4000, 0.05));
  EXPECT_LE(failed, most_of(4000, 0.05));
  EXPECT_LE(failed_coloured, most_of(4000, 0.05));
}

TEST(Assumed, NoDataNoEvent) {
  Example x;
  x.assumptions.model = "any";
  x.assumptions.scale_bound = 0.1;
  const Evidence nothing;
  const Certificate c = x.certificate("assumed-scale", nothing);
  EXPECT_TRUE(c.events.empty());
  EXPECT_EQ(c.confidence, 1);
  EXPECT_EQ(c.n, 0);
  // Attained when the covariance is 0.1 I: the cost of LQR there is 3.11764.
  const Moments white = law_moments({Vector::Zero(22), 0.1 * Matrix::Identity(22, 22)});
  EXPECT_NEAR(c.value, response_risk(x.system, x.lqr, white), 1e-12);
  EXPECT_NEAR(c.value, 3.11764, 1e-5);

  const Matrix bound = ar1_covariance(x.system.sizes(), 0.8, 0.1);
  x.assumptions.covariance_bound = bound;
  const Certificate d = x.certificate("assumed-covariance", nothing);
  EXPECT_NEAR(d.value, response_risk(x.system, x.lqr, law_moments({Vector::Zero(22), bound})),
              1e-12);
  // Any law below it costs less.
  const Moments less = law_moments({Vector::Zero(22), 0.9 * bound});
  EXPECT_LT(response_risk(x.system, x.lqr, less), d.value);
}

TEST(Assumed, OffsetIsAdded) {
  Shape shape;
  shape.offset = true;
  Example x;
  x.system = random_system(shape, 5);
  x.lqr = lqr_response(x.system);
  x.assumptions.scale_bound = 2.0;
  const Index d = x.system.sizes().d_w();
  const Moments law = law_moments({Vector::Zero(d), 2 * Matrix::Identity(d, d)});
  const Certificate c = x.certificate("assumed-scale", {});
  EXPECT_GT(c.terms[1].value, 0);
  EXPECT_NEAR(c.value, response_risk(x.system, x.lqr, law), 1e-10 * c.value);
}

TEST(Bounded, IsTheInvertedEntropy) {
  Example x;
  x.assumptions.model = "bounded";
  const Disturbances data = random_disturbances(x.system.sizes(), 12, 4);
  const double radius = 1.2 * data.w.rowwise().norm().maxCoeff();
  x.assumptions.radius = radius;
  const WeightedResponse y = weighted_response(x.system.cost, x.system.sizes(), x.lqr);
  const double b = largest_cost(y, radius), cost = mean_cost(x, data);
  EXPECT_NEAR(b, std::pow(radius * y.M.operatorNorm(), 2), 1e-9 * b);
  const Certificate c = x.certificate("hold-out-bounded", evidence_of(data));
  EXPECT_NEAR(binary_kl(cost / b, c.value / b), std::log(20.0) / 12, 1e-9);
  EXPECT_GT(c.value, cost);
}

// A coin, the worst case: w = 0, or with probability 0.3 the w of largest cost. 23 tosses: the
// bound fails when at most 2 are heads, which has probability 0.0157; delta = 0.05 allows more.
TEST(Bounded, CoversItsWorstCase) {
  Example x;
  x.assumptions.model = "bounded";
  x.assumptions.radius = 1.0;
  const WeightedResponse y = weighted_response(x.system.cost, x.system.sizes(), x.lqr);
  const Eigen::JacobiSVD<Matrix> svd(y.M, Eigen::ComputeThinV);
  const Vector worst = (1 - 1e-12) * svd.matrixV().col(0);
  const double cost = 0.3 * (y.M * worst).squaredNorm();
  int failed = 0;
  for (std::uint64_t i = 0; i < 4000; ++i) {
    Vector u(23);
    fill_uniform(test_stream(i, 8), 0, {u.data(), 23});
    Disturbances data{Matrix::Zero(23, 22)};
    for (Index k = 0; k < 23; ++k)
      if (u(k) < 0.3) data.w.row(k) = worst.transpose();
    failed += x.certificate("hold-out-bounded", evidence_of(data)).value < cost;
  }
  const double p = boost::math::cdf(boost::math::binomial(23, 0.3), 2);
  EXPECT_GE(failed, least_of(4000, p));
  EXPECT_LE(failed, most_of(4000, p));
}

TEST(FourthMoment, FactorAndNumberOfTrajectories) {
  Example x;
  x.assumptions.kurtosis = 3.0;
  const Disturbances data = random_disturbances(x.system.sizes(), 50, 4);
  const Certificate c = x.certificate("hold-out-fourth-moment", evidence_of(data));
  const double factor = mean_cost(x, data) / c.value;  // x
  EXPECT_NEAR(binary_kl(factor / 3, 1.0 / 3), std::log(20.0) / 50, 1e-9);
  // Better than 1 - sqrt(2 kappa log(1/delta)/n), and it exists earlier.
  EXPECT_GT(factor, 1 - std::sqrt(6 * std::log(20.0) / 50));
  const auto with = [&](Index n) {
    return evidence_of(random_disturbances(x.system.sizes(), n, 4));
  };
  // (1 - 1/3)^n = 0.058 and 0.039 for n = 7 and 8.
  const std::string message = x.refused("hold-out-fourth-moment", with(7));
  EXPECT_NE(message.find("at least 8"), std::string::npos) << message;
  EXPECT_GT(x.certificate("hold-out-fourth-moment", with(8)).value, 0);
}

// w = s v with s = 0 or +-sqrt(kappa), P(s != 0) = 1/kappa: the fourth moment is as large as kappa
// allows and the cost is a coin. With 27 tosses the bound fails when at most one is not 0, which
// has probability 0.0187.
TEST(FourthMoment, CoversItsWorstCase) {
  Example x;
  x.assumptions.model = "any";
  x.assumptions.kurtosis = 5.0;
  const Vector v = random_matrix(22, 1, 3);
  const WeightedResponse y = weighted_response(x.system.cost, x.system.sizes(), x.lqr);
  const double cost = (y.M * v).squaredNorm();
  int failed = 0;
  for (std::uint64_t i = 0; i < 4000; ++i) {
    Vector u(27);
    fill_uniform(test_stream(i, 9), 0, {u.data(), 27});
    Disturbances data{Matrix::Zero(27, 22)};
    for (Index k = 0; k < 27; ++k)
      if (u(k) < 0.2) data.w.row(k) = (u(k) < 0.1 ? 1 : -1) * std::sqrt(5.0) * v.transpose();
    failed += x.certificate("hold-out-fourth-moment", evidence_of(data)).value < cost;
  }
  const double p = boost::math::cdf(boost::math::binomial(27, 0.2), 1);
  EXPECT_GE(failed, least_of(4000, p));
  EXPECT_LE(failed, most_of(4000, p));
}

TEST(FixedKinds, SayWhatIsMissing) {
  const Example plain;
  const Evidence e = evidence_of(random_disturbances(plain.system.sizes(), 40, 1));
  const auto says = [&](const Example& x, const std::string& kind, const std::string& word) {
    const std::string message = x.refused(kind, e);
    EXPECT_NE(message.find(word), std::string::npos) << kind << ": " << message;
  };
  Example x = plain;
  x.assumptions.model = "any";
  for (const char* kind : {"hold-out", "hold-out-scale-free", "hold-out-chi-square", "improvement",
                           "improvement-mean", "improvement-scale"})
    says(x, kind, "disturbance.model");
  x = plain;
  x.assumptions.zero_mean = false;
  x.assumptions.scale_bound = 1.0;
  for (const char* kind : {"hold-out-chi-square", "hold-out-frobenius", "assumed-scale",
                           "assumed-covariance", "improvement", "improvement-scale"})
    says(x, kind, "disturbance.zero_mean");
  for (const char* kind : {"assumed-scale", "improvement-scale"}) says(plain, kind, "scale_bound");
  says(plain, "assumed-covariance", "covariance_bound");
  x = plain;
  x.assumptions.covariance_bound = 0.05 * Matrix::Identity(22, 22);
  x.assumptions.law = Law{Vector::Zero(22), 0.1 * Matrix::Identity(22, 22)};
  says(x, "assumed-covariance", "above disturbance.covariance");
  says(plain, "hold-out-bounded", "radius");
  x = plain;
  x.assumptions.model = "bounded";
  x.assumptions.radius = 0.1;
  says(x, "hold-out-bounded", "has this norm");
  says(plain, "hold-out-fourth-moment", "disturbance.kurtosis");
  x = plain;
  x.assumptions.kurtosis = 2.0;
  says(x, "hold-out-fourth-moment", "at least 3");
  x = plain;
  x.assumptions.scale_bound = 1.0;
  for (const char* kind : {"improvement", "improvement-mean", "improvement-scale"})
    says(x, kind, "baseline");
  x.lqr.phi_x(3) = 0.1;
  for (const char* kind : {"hold-out-chi-square", "hold-out-frobenius", "improvement"})
    says(x, kind, "offset");
  x = plain;
  x.assumptions.scale_bound = 1.0;
  x.assumptions.radius = 100;
  x.assumptions.kurtosis = 3;
  for (const FixedResponseKind& kind : fixed_response_kinds()) {
    if (kind.events.empty()) continue;
    x.assumptions.model = kind.name == "hold-out-bounded" ? "bounded" : "gaussian";
    const std::string message = x.refused(kind.name, Evidence{});
    EXPECT_NE(message.find("trajectories: found none"), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace loopcert::testing
