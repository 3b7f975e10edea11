#include "certificate/cumulant.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>
#include <utility>

#include "certificate/complexity.hpp"
#include "certificate/envelope.hpp"
#include "chance.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/core/random.hpp"
#include "random_system.hpp"
#include "seed.hpp"

namespace loopcert::testing {
namespace {

struct Case {
  Matrix M;
  Vector m, mean;
  Matrix covariance;
};

Case random_case(std::uint64_t seed, Index rank) {
  const Matrix root = random_matrix(5, rank, seed);
  return {0.5 * random_matrix(7, 5, seed + 1), 0.4 * random_matrix(7, 1, seed + 2),
          0.5 * random_matrix(5, 1, seed + 3), root * root.transpose()};
}

// eq:exact-gaussian-cgf with its determinant and inverse, as written.
double direct_cgf(const Case& c, double lambda) {
  const Vector mu = c.M * c.mean + c.m;
  const Matrix Sigma = c.M * c.covariance * c.M.transpose();
  const Matrix I = Matrix::Identity(7, 7);
  const Matrix W = I + 2 * lambda * Sigma;
  const double L = Sigma.trace() + mu.squaredNorm();
  return lambda * L - 0.5 * std::log(W.determinant()) - lambda * mu.dot(W.inverse() * mu);
}

TEST(ExactCgf, EqualsTheFormulaAlsoForSingularCovariances) {
  for (std::uint64_t seed = 1; seed < 20; ++seed)
    for (const Index rank : {0, 1, 3, 5}) {
      const Case c = random_case(seed, std::max<Index>(rank, 1));
      const Matrix covariance = rank == 0 ? Matrix::Zero(5, 5) : c.covariance;
      const Case used{c.M, c.m, c.mean, covariance};
      const GaussianTrajectory y = gaussian_trajectory(c.M, c.m, c.mean, covariance);
      for (const double lambda : {1e-3, 0.1, 1.0, 30.0}) {
        const double direct = direct_cgf(used, lambda);
        EXPECT_NEAR(exact_gaussian_cgf(y, lambda), direct, 1e-9 * (1 + lambda));
      }
    }
}

// The factorization and the spectrum agree to rounding, also where Lambda is a difference of nearly
// equal numbers, and for singular covariances.
TEST(ExactCgf, OfAGramMatrixIsThatOfTheSpectrum) {
  for (std::uint64_t seed = 1; seed < 20; ++seed)
    for (const Index rank : {1, 3, 5, 8}) {
      const Case c = random_case(seed, 5);
      const Matrix X = c.M * random_matrix(5, rank, seed + 4);  // rank 8: more columns than rows
      const Vector mu = c.M * c.mean + c.m;
      const GaussianTrajectory y =
          gaussian_trajectory(X, mu, Vector::Zero(rank), Matrix::Identity(rank, rank));
      const GaussianGram gram{X.transpose() * X, X.transpose() * mu};
      for (const double lambda : {1e-12, 1e-7, 1e-3, 1.0, 100.0}) {
        const double expected = exact_gaussian_cgf(y, lambda);
        EXPECT_NEAR(exact_gaussian_cgf(gram, lambda), expected, 1e-10 * expected);
      }
    }
}

// E exp(lambda (L - l)) by sampling, with lambda L so small that no draw rules the mean.
TEST(ExactCgf, EqualsMonteCarlo) {
  const Case c = random_case(3, 3);
  const Index N = 200000;
  const Matrix root = random_matrix(5, 3, 3);
  const GaussianTrajectory y = gaussian_trajectory(c.M, c.m, c.mean, c.covariance);
  for (const double size : {0.2, 1.0}) {
    const double lambda = size / y.risk();
    Vector sample(N);
    for (Index i = 0; i < N; ++i) {
      Vector e(3);
      fill_standard_normal(test_stream(17, 0), static_cast<std::uint64_t>(i), {e.data(), 3});
      sample(i) = std::exp(lambda * (y.risk() - (c.M * (c.mean + root * e) + c.m).squaredNorm()));
    }
    const double error =
        std::sqrt((sample.array() - sample.mean()).square().mean() / static_cast<double>(N));
    EXPECT_NEAR(std::exp(exact_gaussian_cgf(y, lambda)), sample.mean(), sigmas * error);
  }
}

TEST(QuadraticBound, DominatesAndIsTightAtZero) {
  for (std::uint64_t seed = 1; seed < 30; ++seed) {
    const Case c = random_case(seed, 1 + static_cast<Index>(seed % 5));
    const GaussianTrajectory y = gaussian_trajectory(c.M, c.m, c.mean, c.covariance);
    const Vector mu = c.M * c.mean + c.m;
    const Matrix Sigma = c.M * c.covariance * c.M.transpose();
    const double phi = quadratic_coefficient(y);
    EXPECT_NEAR(phi, Sigma.squaredNorm() + 2 * mu.dot(Sigma * mu), 1e-9 * phi);
    for (double lambda = 1e-6; lambda < 100; lambda *= 10)
      EXPECT_LE(exact_gaussian_cgf(y, lambda), lambda * lambda * phi * (1 + 1e-12));
    EXPECT_NEAR(exact_gaussian_cgf(y, 1e-7) / (1e-14 * phi), 1.0, 1e-3);
  }
}

TEST(ChernoffF, IsAccurateNearZero) {
  for (double x = 1e-12; x < 0.1; x *= 3) {
    const long double exact =
        static_cast<long double>(x) - 0.5L * std::log1p(2.0L * static_cast<long double>(x));
    EXPECT_NEAR(chernoff_f(x), static_cast<double>(exact), 1e-4 * x * x + 1e-19);
  }
  EXPECT_NEAR(chernoff_f(1e-4 * (1 - 1e-9)) / chernoff_f(1e-4), 1, 1e-8);  // the two branches meet
}

// Hoeffding's lemma for the worst law on [0, b]: a coin.
TEST(Hoeffding, DominatesACoin) {
  const double b = 3;
  for (double p = 0.05; p < 1; p += 0.1)
    for (double lambda = 0.01; lambda < 10; lambda *= 2) {
      const double L = p * b;
      const double cgf = std::log(p * std::exp(lambda * (L - b)) + (1 - p) * std::exp(lambda * L));
      EXPECT_LE(cgf, lambda * lambda * hoeffding_coefficient(b) + 1e-12);
    }
}

TEST(Complexity, ClosedFormIsTheInfimum) {
  for (const double rate : {0.01, 1.0, 50.0})
    for (const double phi : {1e-3, 1.0, 200.0}) {
      const Complexity closed = quadratic_complexity(rate, phi);
      const Complexity general = general_complexity(
          rate, [&](double lambda) { return lambda * lambda * phi; }, INFINITY);
      EXPECT_NEAR(general.value, closed.value, 1e-9 * closed.value);
      EXPECT_NEAR(closed.value, rate / closed.lambda + closed.lambda * phi, 1e-12 * closed.value);
    }
}

// Something cheaper above psi spares evaluations and changes nothing.
TEST(Complexity, DoesNotDependOnWhatIsAbovePsi) {
  for (const double rate : {0.01, 1.0, 50.0})
    for (const double end : {3.0, static_cast<double>(INFINITY)}) {
      int calls = 0;
      const auto psi = [&](double lambda) {
        ++calls;
        return lambda < end ? lambda * lambda / (1 - lambda / end) : INFINITY;
      };
      const auto above = [&](double lambda) {
        return lambda < end ? 4 * lambda * lambda / (1 - lambda / end) : INFINITY;
      };
      const Complexity alone = general_complexity(rate, psi, end);
      const int calls_alone = std::exchange(calls, 0);
      const Complexity with = general_complexity(rate, psi, end, above);
      EXPECT_EQ(with.value, alone.value);
      EXPECT_EQ(with.lambda, alone.lambda);
      EXPECT_LT(calls, calls_alone);
    }
}

// psi(lambda) = sum f(lambda s_i) with all s_i times a unit: the bound goes with it, from 1e-30 to
// 1e30, and no lambda on a fine grid does better.
TEST(Complexity, DoesNotDependOnTheUnitOfCosts) {
  for (const double rate : {1e-4, 0.03, 2.0}) {
    const std::vector<double> s = {1.0, 0.3, 0.02, 1e-6};
    const auto bound = [&](double unit, double lambda) {
      double psi = 0;
      for (const double size : s) psi += chernoff_f(lambda * unit * size);
      return (rate + psi) / lambda;
    };
    double least = INFINITY;
    for (double log_lambda = -20; log_lambda < 60; log_lambda += 0.01)
      least = std::min(least, bound(1, std::exp(log_lambda)));
    for (int power = -30; power <= 30; ++power) {
      const double unit = std::pow(10.0, power);
      const Complexity c = general_complexity(
          rate, [&](double lambda) { return bound(unit, lambda) * lambda - rate; }, INFINITY);
      EXPECT_NEAR(c.value / unit, least, 1e-4 * least) << "rate " << rate << ", 1e" << power;
      EXPECT_LE(c.value / unit, least * (1 + 1e-9));
    }
  }
}

TEST(Complexity, RankAwareIsTheInfimumAndNeverAboveTheQuadratic) {
  for (const double rate : {1e-3, 0.3, 20.0})
    for (const double phi : {1e-2, 1.0, 300.0})
      for (const double mean : {0.0, 0.5})
        for (const Index rank : {1, 22, 600}) {
          const auto r = static_cast<double>(rank);
          const Complexity c = rank_aware_complexity(rate, phi, mean, rank);
          const Complexity general = general_complexity(
              rate, [&](double l) { return r * chernoff_f(l * std::sqrt(phi / r)) + l * l * mean; },
              INFINITY);
          EXPECT_NEAR(c.value, general.value, 1e-9 * c.value);
          EXPECT_LE(c.value, quadratic_complexity(rate, phi + mean).value * (1 + 1e-12));
          // derivatives by differences; a saturated bound has slopes below rounding
          const double h = 1e-5;
          const auto value = [&](double a, double b, double d) {
            return rank_aware_complexity(a, b, d, rank).value;
          };
          EXPECT_NEAR(c.d_rate,
                      (value(rate * (1 + h), phi, mean) - value(rate * (1 - h), phi, mean)) /
                          (2 * h * rate),
                      1e-5 * c.d_rate + 1e-10 * c.value / rate);  // and the difference's rounding
          EXPECT_NEAR(
              c.d_phi,
              (value(rate, phi * (1 + h), mean) - value(rate, phi * (1 - h), mean)) / (2 * h * phi),
              1e-5 * c.d_phi + 1e-10 * c.value / phi);
        }
}

// r f(lambda sqrt(mean of q / r)) dominates the mean of the exact CGF over random responses: the
// two uses of Jensen's inequality.
TEST(Complexity, RankAwarePsiDominatesTheMeanOfExactCgfs) {
  const double lambda = 0.7;
  double mean_cgf = 0, mean_q = 0;
  const int N = 200;
  for (int i = 0; i < N; ++i) {
    const Case c = random_case(static_cast<std::uint64_t>(i), 5);
    const GaussianTrajectory y =
        gaussian_trajectory(c.M, Vector::Zero(7), Vector::Zero(5), c.covariance);
    mean_cgf += exact_gaussian_cgf(y, lambda) / N;
    mean_q += y.s.squaredNorm() / N;
  }
  const double psi = 5 * chernoff_f(lambda * std::sqrt(mean_q / 5));
  EXPECT_LE(mean_cgf, psi);
  EXPECT_LT(psi, lambda * lambda * mean_q);
}

TEST(Rate, UsesNOverDeltaAndNMinusOne) {
  EXPECT_DOUBLE_EQ(pac_bayes_rate(3.0, 11, 0.025, 1), (3.0 + std::log(11 / 0.025)) / 10);
  EXPECT_DOUBLE_EQ(pac_bayes_rate(3.0, 11, 0.025, 5), pac_bayes_rate(3.0, 11, 0.025, 1));
  EXPECT_NEAR(pac_bayes_rate(3.0, 100, 0.025, 5), (3.0 + std::log(20 / 0.025)) / 95, 1e-13);
  EXPECT_THROW(pac_bayes_rate(3.0, 1, 0.025, 1), InputError);
  EXPECT_THROW(pac_bayes_rate(3.0, 10, 0.0, 1), InputError);
}

// The paper's setting at n = 10: a = sqrt(2.2) + sqrt(0.2 log 80), eps = 0.1 (2a + a^2).
TEST(CovarianceRadius, IsThePapersFormula) {
  const double a = std::sqrt(2.2) + std::sqrt(2 * std::log(80.0) / 10);
  EXPECT_NEAR(covariance_radius(0.1, 22, 10, 0.025), 0.1 * (2 * a + a * a), 1e-14);
}

// The events themselves. Both radii are conservative.
TEST(Radii, CoverTheirEvents) {
  const Index n = 12, d = 6;
  const double delta = 0.3, scale = 0.5;
  const double eps = covariance_radius(scale, d, n, delta);
  const double r = mean_radius(scale, d, n, delta);
  int covariance = 0, mean = 0;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const Matrix w = std::sqrt(scale) * standard_normal_rows(test_stream(i, 5), 0, n, d);
    const Matrix gap = w.transpose() * w / static_cast<double>(n) - scale * Matrix::Identity(d, d);
    covariance += gap.selfadjointView<Eigen::Lower>().operatorNorm() > eps;
    mean += w.colwise().mean().norm() > r;
  }
  EXPECT_LE(covariance, most_of(2000, delta));
  EXPECT_LE(mean, most_of(2000, delta));
  EXPECT_GT(mean, 0);  // and not absurdly loose
}

}  // namespace
}  // namespace loopcert::testing
