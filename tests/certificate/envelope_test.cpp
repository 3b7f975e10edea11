// Every envelope stands above the covariance as often as it says, and is refused when its
// assumptions are not granted.
#include "certificate/envelope.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>

#include "certificate/premises.hpp"
#include "certificate/second_moment.hpp"
#include "certificate/wishart.hpp"
#include "chance.hpp"
#include "input_error.hpp"
#include "random_system.hpp"
#include "seed.hpp"

namespace loopcert::testing {
namespace {

const Sizes sizes = state_feedback(2, 1, 2);  // n_x, n_u, T: d_w = 6
constexpr Index n = 10;
constexpr double delta = 0.2;
constexpr Index draws = 4000;

Matrix random_covariance(Index d, std::uint64_t seed) {
  const Matrix root = random_matrix(d, d, seed);
  return root * root.transpose() + 0.01 * Matrix::Identity(d, d);
}

Matrix white_covariance(bool stationary) {
  Matrix Sigma = Matrix::Zero(6, 6);
  for (Index t = 0; t < 3; ++t)
    Sigma.block(2 * t, 2 * t, 2, 2) =
        random_covariance(2, stationary && t > 0 ? 50 : 40 + static_cast<std::uint64_t>(t));
  return Sigma;
}

double largest_eigenvalue(const Matrix& A) {
  return Eigen::SelfAdjointEigenSolver<Matrix>(A).eigenvalues().maxCoeff();
}

bool stands_above(const Matrix& U, const Matrix& Sigma) {
  return Eigen::LLT<Matrix>(U - Sigma).info() == Eigen::Success;
}

// The number of data sets on which the envelope is not above the covariance, or its floor not
// below.
Index failures(const std::string& name, const Assumptions& assumptions, const Matrix& Sigma) {
  Index failed = 0;
  const Law law{Vector::Zero(Sigma.rows()), Sigma};
  for (Index i = 0; i < draws; ++i) {
    const Evidence evidence =
        evidence_of(sample_disturbances(law, test_stream(static_cast<std::uint64_t>(i), 77), n));
    const Envelope envelope =
        make_envelope(envelope_kind(name), assumptions, evidence, sizes, {{"covariance", delta}});
    if (!stands_above(envelope.U, Sigma) || (envelope.floor - Sigma.diagonal()).maxCoeff() > 1e-12)
      ++failed;
  }
  return failed;
}

void expect_share(Index failed, double p) {
  EXPECT_GE(failed, least_of(draws, p));
  EXPECT_LE(failed, most_of(draws, p));
}

TEST(Envelope, RelativeFailsExactlyAsOftenAsItSays) {
  expect_share(failures("relative", {}, random_covariance(6, 3)), delta);
}

TEST(Envelope, OneSidedIsTightUnderItsScaleBound) {
  Assumptions assumptions;
  assumptions.scale_bound = 0.7;
  expect_share(failures("one-sided", assumptions, 0.7 * Matrix::Identity(6, 6)), delta);
  const Matrix Sigma = random_covariance(6, 4);
  assumptions.scale_bound = largest_eigenvalue(Sigma);
  EXPECT_LE(failures("one-sided", assumptions, Sigma), most_of(draws, delta));
}

// Independent blocks: 1 - prod (1 - delta/k) of k events.
TEST(Envelope, WhiteFailsAsOftenAsItsBlocks) {
  Assumptions assumptions;
  assumptions.white = true;
  const double three = 1 - std::pow(1 - delta / 3, 3);
  expect_share(failures("white", assumptions, white_covariance(false)), three);
  assumptions.stationary = true;
  const double two = 1 - std::pow(1 - delta / 2, 2);
  expect_share(failures("white", assumptions, white_covariance(true)), two);
}

TEST(Envelope, AdditiveFailsNoOftener) {
  Assumptions assumptions;
  const Matrix Sigma = random_covariance(6, 5);
  assumptions.scale_bound = largest_eigenvalue(Sigma);
  EXPECT_LE(failures("additive", assumptions, Sigma), most_of(draws, delta));
}

TEST(Envelope, AssumedOnesHoldWithoutData) {
  Assumptions assumptions;
  const Matrix Sigma = random_covariance(6, 6);
  assumptions.scale_bound = largest_eigenvalue(Sigma) * (1 + 1e-6);
  assumptions.covariance_bound = Sigma + 1e-6 * Matrix::Identity(6, 6);
  for (const char* name : {"scale", "known"}) {
    EXPECT_TRUE(envelope_kind(name).events.empty());
    const Envelope envelope = make_envelope(envelope_kind(name), assumptions, {}, sizes, {});
    EXPECT_TRUE(stands_above(envelope.U, Sigma)) << name;
    EXPECT_TRUE(envelope.floor.isZero(0.0)) << name;
  }
}

// What they are, from the data matrix.
TEST(Envelope, IsWhatTheFormulaSays) {
  const Disturbances data = random_disturbances(sizes, n, 9);
  const Evidence evidence = evidence_of(data);
  const Matrix S = data.w.transpose() * data.w / 10, I = Matrix::Identity(6, 6);
  Assumptions assumptions;
  assumptions.scale_bound = 0.3;
  assumptions.white = true;
  const auto make = [&](const std::string& name) {
    const Envelope e =
        make_envelope(envelope_kind(name), assumptions, evidence, sizes, {{"covariance", 0.06}});
    EXPECT_EQ(e.events.size(), envelope_kind(name).events.size()) << name;
    for (const Event& event : e.events) EXPECT_EQ(event.delta, 0.06);
    EXPECT_GE(e.assumptions.size(), 1u);
    return e;
  };
  const double q = wishart_floor(6, n, 0.06);
  EXPECT_LT((make("relative").U - S / q).norm(), 1e-12 * S.norm() / q);
  EXPECT_LT((make("one-sided").U - S - 0.3 * (1 - q) * I).norm(), 1e-12 * S.norm());
  const double eps = covariance_radius(0.3, 6, n, 0.06);
  EXPECT_LT((make("additive").U - S - eps * I).norm(), 1e-12 * S.norm());
  for (Index j = 0; j < 6; ++j)
    EXPECT_NEAR(make("additive").floor(j), std::max(0.0, S(j, j) - eps), 1e-12);

  const double each = wishart_floor(2, n, 0.02);
  const Matrix blocks = make("white").U;
  EXPECT_NEAR(blocks(0, 1), S(0, 1) / each, 1e-12);
  EXPECT_NEAR(blocks(5, 4), S(5, 4) / each, 1e-12);
  EXPECT_EQ(blocks(1, 2), 0);
  assumptions.stationary = true;
  const Matrix shared = make("white").U;
  EXPECT_NEAR(shared(0, 1), S(0, 1) / wishart_floor(2, n, 0.03), 1e-12);
  const double pooled = (S(2, 3) + S(4, 5)) / 2 / wishart_floor(2, 2 * n, 0.03);
  EXPECT_NEAR(shared(2, 3), pooled, 1e-12);
  EXPECT_NEAR(shared(5, 4), pooled, 1e-12);
}

std::string refusal(const std::string& name, const Assumptions& assumptions, Index samples = n) {
  const auto missing = envelope_kind(name).needs({assumptions, sizes, samples, false});
  return missing ? missing->place + ": " + missing->found : "";
}

TEST(Envelope, EveryOneNeedsACentredGaussian) {
  for (const EnvelopeKind& kind : envelope_kinds()) {
    Assumptions assumptions;
    assumptions.scale_bound = 1;
    assumptions.white = true;
    assumptions.covariance_bound = Matrix::Identity(6, 6);
    EXPECT_EQ(refusal(kind.name, assumptions), "") << kind.name;
    assumptions.model = "bounded";
    EXPECT_EQ(refusal(kind.name, assumptions), "disturbance.model: 'bounded'");
    assumptions.model = "gaussian";
    assumptions.zero_mean = false;
    EXPECT_EQ(refusal(kind.name, assumptions), "disturbance.zero_mean: false");
  }
}

TEST(Envelope, IsRefusedWithoutItsOwnAssumption) {
  const Assumptions nothing;
  for (const char* name : {"additive", "scale", "one-sided"})
    EXPECT_EQ(refusal(name, nothing), "disturbance.scale_bound: nothing");
  EXPECT_EQ(refusal("white", nothing), "disturbance.white: false");
  EXPECT_EQ(refusal("known", nothing), "disturbance.covariance_bound: nothing");
  EXPECT_TRUE(contains(refusal("relative", nothing, 6), "'relative': 6"));
  Assumptions granted;
  granted.scale_bound = 1;
  granted.white = true;
  EXPECT_TRUE(contains(refusal("one-sided", granted, 6), "'one-sided': 6"));
  EXPECT_EQ(refusal("one-sided", granted, 7), "");
  EXPECT_TRUE(contains(refusal("white", granted, 2), "'white': 2"));
  EXPECT_EQ(refusal("white", granted, 3), "");
  EXPECT_TRUE(contains(input_error([] { envelope_kind("relatve"); }), "'relative'?"));
}

TEST(Envelope, IsRefusedWhenItsQuantileIsZero) {
  const Evidence evidence = evidence_of(random_disturbances(sizes, n, 9));
  Assumptions assumptions;
  assumptions.white = true;
  for (const char* name : {"relative", "white"})
    EXPECT_TRUE(contains(input_error([&] {
                           make_envelope(envelope_kind(name), assumptions, evidence, sizes,
                                         {{"covariance", 1e-300}});
                         }),
                         "its quantile is zero"))
        << name;
}

// A law in the same file that breaks the assumption.
TEST(Envelope, IsRefusedBesideALawThatContradictsIt) {
  Assumptions assumptions;
  assumptions.white = true;
  assumptions.law = Law{Vector::Zero(6), white_covariance(false)};
  EXPECT_EQ(refusal("white", assumptions), "");
  assumptions.stationary = true;
  EXPECT_TRUE(contains(refusal("white", assumptions), "disturbance.stationary"));
  assumptions.law->covariance = white_covariance(true);
  EXPECT_EQ(refusal("white", assumptions), "");
  assumptions.law->covariance(0, 4) = assumptions.law->covariance(4, 0) = 1e-3;
  EXPECT_TRUE(contains(refusal("white", assumptions), "disturbance.white"));

  assumptions.covariance_bound = assumptions.law->covariance;  // equal is allowed
  EXPECT_EQ(refusal("known", assumptions), "");
  assumptions.law->covariance(3, 3) += 1e-3;
  EXPECT_TRUE(contains(refusal("known", assumptions), "disturbance.covariance_bound"));
  assumptions.law->mean(1) = 0.1;
  EXPECT_TRUE(contains(refusal("relative", assumptions), "disturbance.zero_mean"));
}

// A law near its worst case: mostly zero, rarely of full length in one of d directions.
TEST(SecondMomentRadius, FailsNoOftenerThanItSays) {
  const Index d = 3, samples = 40;
  const double rare = 0.1, reach = 4;
  Index failed = 0;
  for (Index i = 0; i < draws; ++i) {
    Matrix sum = Matrix::Zero(d, d);
    std::vector<double> uniform(static_cast<size_t>(samples));
    fill_uniform(test_stream(11, 5), static_cast<std::uint64_t>(i), uniform);
    for (const double u : uniform)
      if (u < rare) {
        const auto j = std::min<Index>(d - 1, static_cast<Index>(u / rare * d));
        sum(j, j) += reach / static_cast<double>(samples);
      }
    const double eps = second_moment_radius(largest_eigenvalue(sum), reach, d, samples, delta);
    if ((Vector::Constant(d, rare * reach / d) - sum.diagonal()).maxCoeff() > eps) ++failed;
  }
  EXPECT_LE(failed, most_of(draws, delta));
  // eps solves its equation
  const double eps = second_moment_radius(0.3, reach, d, samples, delta);
  EXPECT_NEAR(eps, std::sqrt(2 * reach * (0.3 + eps) * std::log(d / delta) / samples), 1e-12);
}

}  // namespace
}  // namespace loopcert::testing
