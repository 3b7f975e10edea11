// The quantile of the smallest eigenvalue of a Wishart matrix against closed forms, quadrature and
// simulation.
#include "certificate/wishart.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <vector>

#include "chance.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/core/random.hpp"
#include "seed.hpp"

namespace loopcert::testing {
namespace {

TEST(WishartFloor, OneDimensionIsTheChiSquareQuantile) {
  for (const Index n : {2, 3, 10, 51, 101, 400, 401})
    for (const double delta : {1e-6, 0.01, 0.025, 0.5}) {
      const double samples = static_cast<double>(n);
      const double exact = 2 * boost::math::gamma_p_inv(samples / 2, delta) / samples;
      const double q = wishart_floor(1, n, delta);
      EXPECT_LE(q, exact) << n << " " << delta;
      EXPECT_NEAR(q, exact, 3e-9 * exact) << n << " " << delta;
    }
}

// For n = d + 1 the density of the eigenvalues has no power in it, and lambda_min(nW) is
// exponential with rate d/2.
TEST(WishartCdf, IsExponentialForOneMoreSampleThanDimensions) {
  for (const Index d : {1, 2, 3, 7, 22, 31, 40})
    for (const double x : {1e-4, 0.03, 0.7}) {
      const auto n = static_cast<double>(d + 1);
      const double exact = -std::expm1(-0.5 * static_cast<double>(d) * x);
      EXPECT_NEAR(wishart_cdf(d, d + 1, x / n).value(), exact, 1e-11) << d << " " << x;
    }
}

// d = 2: the inner integral over the larger eigenvalue is a pair of incomplete gammas.
TEST(WishartCdf, TwoDimensionsByQuadrature) {
  for (const Index n : {3, 4, 10, 33})
    for (const double q : {0.05, 0.3, 0.8}) {
      const double alpha = static_cast<double>(n - 3) / 2;
      const auto density = [&](double y) {  // of nW/2, not normalized
        return std::pow(y, alpha) * std::exp(-y) *
               (boost::math::tgamma(alpha + 2, y) - y * boost::math::tgamma(alpha + 1, y));
      };
      const double a = q * static_cast<double>(n) / 2;
      using Rule = boost::math::quadrature::gauss_kronrod<double, 61>;
      const double below = Rule::integrate(density, 0.0, a, 12, 1e-13);
      const double above = Rule::integrate(density, a, a + 200, 12, 1e-13);
      EXPECT_NEAR(wishart_cdf(2, n, q).value(), below / (below + above), 1e-9) << n << " " << q;
    }
}

// Bartlett: nW has the law of L L', L lower triangular with independent entries, normal below the
// diagonal and L_ii^2 chi-square with n - i degrees of freedom (i from 0).
Matrix bartlett(Index d, Index n, std::uint64_t draw) {
  const auto size = static_cast<size_t>(d);
  std::vector<double> uniform(size), normal(size * size);
  fill_uniform(test_stream(7, 0), draw, uniform);
  fill_standard_normal(test_stream(7, 1), draw, normal);
  Matrix L = Matrix::Zero(d, d);
  for (Index i = 0; i < d; ++i) {
    const double k = static_cast<double>(n - i) / 2;
    L(i, i) = std::sqrt(2 * boost::math::gamma_p_inv(k, uniform[static_cast<size_t>(i)]));
    for (Index j = 0; j < i; ++j) L(i, j) = normal[static_cast<size_t>(i * d + j)];
  }
  return L;
}

// The number of draws below the quantile is binomial.
TEST(WishartFloor, IsTheQuantileOfSimulatedMatrices) {
  struct Case {
    Index d, n, draws;
    double delta;
  };
  for (const Case& c :
       {Case{5, 12, test_count(20000), 0.1}, Case{5, 13, test_count(20000), 0.3},
        Case{22, 50, test_count(5000), 0.3}, Case{22, 100, test_count(5000), 0.1}}) {
    const double cut = wishart_floor(c.d, c.n, c.delta) * static_cast<double>(c.n);
    Index below = 0;
    for (Index i = 0; i < c.draws; ++i) {
      const Matrix L = bartlett(c.d, c.n, static_cast<std::uint64_t>(i));
      const Matrix gap = L * L.transpose() - cut * Matrix::Identity(c.d, c.d);
      if (Eigen::LLT<Matrix>(gap).info() != Eigen::Success) ++below;
    }
    EXPECT_GE(below, least_of(c.draws, c.delta)) << c.d << " " << c.n;
    EXPECT_LE(below, most_of(c.draws, c.delta)) << c.d << " " << c.n;
  }
}

TEST(WishartFloor, IsTheLargestOfItsRoutesAndMonotone) {
  for (const Index d : {1, 2, 5, 22}) {
    double last_n = 0;
    for (const Index n : {d + 1, 2 * d + 1, 5 * d}) {
      if (n <= d) continue;
      double last_delta = 0;
      for (const double delta : {1e-4, 0.025, 0.2}) {
        const double q = wishart_floor(d, n, delta);
        EXPECT_GT(q, last_delta);
        last_delta = q;
        EXPECT_GE(q, wishart_floor_by_concentration(d, n, delta));
        EXPECT_GE(q, wishart_floor_by_density(d, n, delta));
        EXPECT_LE(wishart_cdf(d, n, q).value(), delta);
        EXPECT_GT(wishart_cdf(d, n, q * (1 + 1e-6)).value(), delta);
      }
      EXPECT_GT(last_delta, last_n) << d << " " << n;
      last_n = last_delta;
    }
  }
}

TEST(WishartFloor, SaysNothingWithoutEnoughSamples) {
  EXPECT_EQ(wishart_floor(5, 5, 0.1), 0);
  EXPECT_EQ(wishart_floor(5, 4, 0.1), 0);
  EXPECT_EQ(wishart_floor_by_density(5, 5, 0.1), 0);
  EXPECT_FALSE(wishart_floor_exact(5, 5, 0.1).has_value());
}

TEST(WishartFloor, StaysPositiveBeyondTheLimitsOfTheExactRoute) {
  const Index d = 3 * wishart_exact_limit;
  EXPECT_FALSE(wishart_floor_exact(d, 2 * d, 0.1).has_value());
  EXPECT_GT(wishart_floor(d, d + 1, 0.1), 0);
  EXPECT_GT(wishart_floor(d, 20 * d, 0.1), wishart_floor_by_density(d, 20 * d, 0.1));
  EXPECT_GT(wishart_floor(2, wishart_exact_samples + 1, 0.1), 0.96);
}

TEST(WishartFloor, RefusesWhatIsNoProbability) {
  EXPECT_THROW(wishart_floor(2, 5, 0.0), InputError);
  EXPECT_THROW(wishart_floor(2, 5, 1.0), InputError);
  EXPECT_THROW(wishart_floor(2, 5, NAN), InputError);
  EXPECT_THROW(wishart_floor(0, 5, 0.1), InputError);
}

}  // namespace
}  // namespace loopcert::testing
