// docs/theory/identified-models.md: the ellipsoid of a linear model.
#include "lemmas/lemmas.hpp"
#include "numbers.hpp"

namespace verify::testing {
namespace {

Transitions scalar(long N, double V, double yr, double yy, double V_0) {
  return {N, matrix(1, 1, {V}), matrix(1, 1, {yr}), matrix(1, 1, {yy}), matrix(1, 1, {V_0})};
}

TEST(Identified, RadiusOfOneCoefficient) {
  expect_ball(model_radius_squared(scalar(9, 6, 0, 1, 2), 0.1),
              2 * std::log(10.0) + std::log(1 + 6.0 / 2));
}

// Blocks that have nothing to do with each other: logarithms of determinants add up, and each row
// of Theta counts the same regressors.
TEST(Identified, RadiusOfBlocks) {
  const Mat V = matrix(2, 2, {5, 0, 0, 7}), V_0 = matrix(2, 2, {2, 0, 0, 0.5});
  const Transitions seen{9, V, Mat(3, 2), identity(3), V_0};
  expect_ball(model_radius_squared(seen, 0.3),
              2 * std::log(1 / 0.3) + 3 * (std::log(1 + 2.5) + std::log(1 + 14.0)));
}

TEST(Identified, SetOfOneCoefficient) {
  const double V = 90, yr = 40, yy = 120, V_0 = 30;
  const ConfidenceSet set = confidence_set(scalar(100, V, yr, yy, V_0), 0.05, 0.02);
  const double beta_squared = 2 * std::log(20.0) + std::log(1 + V / V_0);
  const double left = 100 * wishart_floor(1, 100, 0.02) - (1 + V_0 / V) * beta_squared;
  const double U = (yy - yr * yr / V) / left;
  expect_ball(set.Theta_hat(0, 0), yr / V);
  expect_ball(set.beta, std::sqrt(beta_squared));
  EXPECT_NEAR(upper(set.root(0, 0)), std::sqrt(U), 1e-10);
  expect_ball(set.G(0, 0) * set.G(0, 0), 1 / V + V_0 / (V * V));
}

// In other coordinates y' = A y, r' = B r the set is the same one.
TEST(Identified, SetInOtherUnits) {
  const Mat A = matrix(2, 2, {1000, 0, 3, 0.01}), B = matrix(2, 2, {2, 1, 0, 1e-5});
  const Mat V = matrix(2, 2, {90, 20, 20, 70}), V_0 = matrix(2, 2, {30, 5, 5, 20});
  const Mat yr = matrix(2, 2, {40, 10, -5, 30}), yy = matrix(2, 2, {120, 10, 10, 100});
  const auto at = [](const Mat& P, const Mat& X, const Mat& Q) { return P * X * transpose(Q); };
  const Bits precise(128);
  const ConfidenceSet one = confidence_set({200, V, yr, yy, V_0}, 0.05, 0.02);
  const ConfidenceSet other =
      confidence_set({200, at(B, V, B), at(A, yr, B), at(A, yy, A), at(B, V_0, B)}, 0.05, 0.02);
  expect_ball(other.beta, upper(one.beta));
  const auto expect_equal = [](const Mat& found, const Mat& expected) {
    for (long i = 0; i < found.rows(); ++i)
      for (long j = 0; j < found.cols(); ++j) {
        const double size = 1e-9 * std::abs(upper(expected(i, j)));
        EXPECT_NEAR(upper(found(i, j)), upper(expected(i, j)), size);
      }
  };
  expect_equal(other.Theta_hat * B, A * one.Theta_hat);
  expect_equal(at(other.root, identity(2), other.root),
               at(A, at(one.root, identity(2), one.root), A));
  // Vt^-1 = G'G becomes B^-T Vt^-1 B^-1.
  expect_equal(
      at(transpose(B), at(transpose(other.G), identity(2), transpose(other.G)), transpose(B)),
      at(transpose(one.G), identity(2), transpose(one.G)));
}

TEST(Identified, TooFewTransitions) {
  EXPECT_THROW(confidence_set(scalar(12, 9, 4, 12, 3), 0.01, 0.01), TooWide);
}

// w_t = a w_{t-1} + v_t from w_0 on: whatever a is, it lies in the interval, and the variance of v
// below U_v, as often as the events say.
TEST(Identified, HoldsForDrawnTrajectories) {
  constexpr long n = 8, T = 9, rounds = 2000;
  constexpr double delta_model = 0.2, delta_noise = 0.1, sigma = 0.7;
  Normal normal(7);
  for (const double a : {0.0, 0.8, 1.1}) {
    double failed = 0;
    for (long k = 0; k < rounds; ++k) {
      double V = 0, yr = 0, yy = 0, V_0 = 0;
      for (long i = 0; i < n; ++i) {
        double w = normal();
        V_0 += 0.35 * (T - 1) * w * w;
        for (long t = 1; t < T; ++t) {
          const double next = a * w + sigma * normal();
          V += w * w;
          yr += next * w;
          yy += next * next;
          w = next;
        }
      }
      const ConfidenceSet set =
          confidence_set(scalar(n * (T - 1), V, yr, yy, V_0), delta_model, delta_noise);
      const Ball reach = set.beta * set.root(0, 0) * set.G(0, 0);
      failed +=
          std::abs(upper(set.Theta_hat(0, 0)) - a) > upper(reach) || sigma > upper(set.root(0, 0));
    }
    EXPECT_LE(failed, most_of(rounds, delta_model + delta_noise)) << a;
    EXPECT_GE(failed, 1) << a;  // the floor of the noise is exact for one state, less the model's
  }
}

}  // namespace
}  // namespace verify::testing
