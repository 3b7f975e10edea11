// docs/theory/frobenius.md: the mean cost and the size of the second moment of the cost's vector.
#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>

#include "certificate/fixed_response.hpp"
#include "certificate/tails.hpp"
#include "chance.hpp"
#include "gamma_chance.hpp"
#include "random_system.hpp"
#include "response/lqr.hpp"
#include "risk/risk.hpp"
#include "seed.hpp"

namespace loopcert::testing {
namespace {

double single(Index n, double delta) {
  return static_cast<double>(n) /
             boost::math::quantile(boost::math::chi_squared(static_cast<double>(n)), delta) -
         1;
}

TEST(Frobenius, FactorIsThatOfTheSingleChiSquareFromSqrt2OverNOn) {
  for (const Index n : {1, 2, 3, 5, 20, 100, 1000, 20000}) {
    for (const double delta : {0.43, 0.05, 1e-3})
      EXPECT_NEAR(frobenius_factor(n, delta), single(n, delta), 1e-8 * (1 + single(n, delta)));
    if (n > 1) {
      EXPECT_DOUBLE_EQ(frobenius_factor(n, 0.5), std::sqrt(2) / static_cast<double>(n));
    }
  }
  EXPECT_NEAR(frobenius_factor(1, 0.6), single(1, 0.6), 1e-9);  // one draw: one eigenvalue
}

// P(L >= Lhat + x <S_hat, S>/||S||_F), which is not below that of the event itself.
double failure(const Vector& s, Index n, double x) {
  const double shape = 0.5 * static_cast<double>(n);
  const Vector w = s + x * s.cwiseAbs2() / s.norm();
  return chance_below(w, shape, shape * s.sum());
}

TEST(Frobenius, NoSpectrumFailsMoreOftenThanOneEigenvalue) {
  for (std::uint64_t k = 0; k < 60; ++k) {
    const std::uint64_t seed = test_seed(8200 + k);
    const Index r = 1 + static_cast<Index>(k % 6), n = 4 + 9 * static_cast<Index>(k % 4);
    const Vector u = random_matrix(r, 1, seed).cwiseAbs();
    const Vector s = k % 3 == 0 ? u : k % 3 == 1 ? Vector(u.array().pow(4)) : Vector(u / 50);
    for (const double delta : {0.5, 0.43, 0.2, 0.05}) {
      const double x = frobenius_factor(n, delta);
      EXPECT_LE(failure(s, n, x), delta * (1 + 1e-6)) << k << " " << delta;
      if (r == 1 && delta < 0.5) {
        EXPECT_NEAR(failure(s, n, x), delta, 1e-6);
      }
    }
  }
}

// Two eigenvalues moved apart, as in the proof: the probability does not fall. Nearer to zero than
// sqrt(2)/n it may.
TEST(Frobenius, TheProbabilityRisesOnTheWayToOneEigenvalue) {
  for (const Index n : {6, 20, 100})
    for (const double times : {1.0, 3.0, 20.0}) {
      const double x = times * std::sqrt(2) / static_cast<double>(n);
      double before = 0;
      for (int step = 0; step <= 12; ++step) {
        const double angle = M_PI / 4 * (1 - step / 12.5);
        const Vector s = Eigen::Vector3d(std::cos(angle), 0.02, std::sin(angle));
        const double now = failure(s, n, x);
        EXPECT_GE(now, before - 1e-9) << n << " " << times << " " << step;
        before = now;
      }
    }
}

struct Example {
  System system = double_integrator();
  Response lqr = lqr_response(system);
  Assumptions assumptions;

  double value(const std::string& name, const Evidence& e, double delta) const {
    const FixedResponseKind& kind = fixed_response_kind(name);
    return kind.evaluate({system, lqr, assumptions, e, split_delta(kind.events, delta, {})}).value;
  }
};

// The singular values of the matrix of all y, and never above the chi-square.
TEST(Frobenius, IsWhatTheSingularValuesGive) {
  const Example x;
  const WeightedResponse y = weighted_response(x.system.cost, x.system.sizes(), x.lqr);
  for (const Index n : {1, 2, 9, 60}) {
    const Disturbances data = random_disturbances(x.system.sizes(), n, test_seed(31));
    const Matrix all = data.w * y.M.transpose();
    const Vector s = Eigen::JacobiSVD<Eigen::MatrixXd>(all).singularValues().cwiseAbs2() /
                     static_cast<double>(n);
    const double value = x.value("hold-out-frobenius", evidence_of(data), 0.05);
    EXPECT_NEAR(value, s.sum() + single(n, 0.05) * s.norm(), 1e-8 * value) << n;
    EXPECT_LE(value, x.value("hold-out-chi-square", evidence_of(data), 0.05) * (1 + 1e-9)) << n;
  }
}

// Where the covariance has rank one the bound fails exactly as often as it may.
TEST(Frobenius, FailsAsOftenAsItMay) {
  const Example x;
  const Matrix v = random_matrix(22, 1, 3), few = random_matrix(22, 2, 4);
  const Index sets = test_count(4000, 1000);
  for (const double delta : {0.4, 0.1}) {
    int failed[] = {0, 0, 0}, which = 0;
    for (const Matrix& covariance :
         {Matrix(v * v.transpose()),
          Matrix(few * few.transpose() + 0.01 * Matrix::Identity(22, 22)),
          ar1_covariance(x.system.sizes(), 0.8, 0.1)}) {
      const Law law{Vector::Zero(22), covariance};
      const double cost = response_risk(x.system, x.lqr, law_moments(law));
      for (Index i = 0; i < sets; ++i) {
        const auto stream =
            test_stream(5511 + static_cast<std::uint64_t>(which), static_cast<std::uint64_t>(i));
        const Evidence e = evidence_of(sample_disturbances(law, stream, 3));
        failed[which] += x.value("hold-out-frobenius", e, delta) < cost;
      }
      EXPECT_LE(failed[which], most_of(sets, delta)) << which;
      ++which;
    }
    EXPECT_GE(failed[0], least_of(sets, delta));
  }
}

}  // namespace
}  // namespace loopcert::testing
