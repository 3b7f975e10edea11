// docs/theory/identified-cost.md, item 8, on loops whose every order is a formula.
#include "lemmas/lemmas.hpp"
#include "numbers.hpp"

namespace verify::testing {
namespace {

// P with the largest smallest room for the gain of 1/(z - a): P = w + a^2 P + a^2 P^2/(g^2 - P) has
// two solutions, and between them the inequality is strict.
Gain scalar_gain(double a, double w, double gain) {
  const double g = gain * gain, b = g * (1 - a * a) + w;
  return {gain, matrix(1, 1, {b / 2})};  // P^2 - b P + w g = 0
}

TEST(Stationary, GainOfOneState) {
  for (const double a : {0.3, -0.8, 0.95}) {
    const Mat A = matrix(1, 1, {a}), H = matrix(1, 1, {1}), W = matrix(1, 1, {2.25});
    const double gain = 1.5 / (1 - std::abs(a));
    EXPECT_TRUE(is_gain(A, H, W, scalar_gain(a, 2.25, 1.0001 * gain)));
    EXPECT_FALSE(is_gain(A, H, W, scalar_gain(a, 2.25, 0.9999 * gain)));
    for (double P = 0.1; P < 2000; P *= 1.01)
      EXPECT_FALSE(is_gain(A, H, W, {0.999 * gain, matrix(1, 1, {P})})) << P;
    EXPECT_FALSE(is_gain(A, H, W, {-1.0001 * gain, scalar_gain(a, 2.25, 1.0001 * gain).P}));
  }
  // A negative P is none, and a loop that is not stable has no gain.
  const Mat H = matrix(1, 1, {1}), W = matrix(1, 1, {0.0001});
  EXPECT_FALSE(is_gain(matrix(1, 1, {2}), H, W, {1, matrix(1, 1, {-1})}));
}

// x+ = (a + F c) x + e of cost w x^2: w/(1 - (a + F c)^2), and all its orders.
TEST(Stationary, OrdersOfOneState) {
  const double a = 0.6, c = 0.5, w = 2, alpha = 1.0001 * c / (1 - a);
  const double zeta = 1.0001 * std::sqrt(w) / (1 - a), d = 1 - a * a;
  const ClosedStep step{matrix(1, 1, {a}), matrix(1, 1, {c}), matrix(1, 1, {w})};
  const Gain reply = scalar_gain(a, c * c, alpha), cost = scalar_gain(a, w, zeta);
  for (const double beta : {0.01, 0.1, 0.4}) {
    const double g = w * a * c / (d * d), G_2 = w * c * c * (1 + 3 * a * a) / (d * d * d);
    const double G_11 = w * c * c * (1 + a * a) / (d * d * d), G_r = c * c * G_11 / w;
    const double gamma = beta * alpha, rho = beta * std::sqrt(G_r);
    const double omega = w * a / std::pow(d, 1.5), others = zeta * beta * rho / (1 - gamma);
    const double rest = 2 * beta * std::sqrt(G_11) * others + others * others +
                        2 * beta * omega * gamma / (1 - gamma) * rho;
    const double sup = 2 * g * beta + G_2 * beta * beta;  // at F = beta: nu = G_2 + g/beta
    const Average found =
        average_over_set(step, matrix(1, 1, {1}), beta, false, G_2 + g / beta, reply, cost);
    expect_ball(found.nominal, w / d);
    EXPECT_NEAR(upper(found.error), sup + rest, 1e-9 * (sup + rest));
    EXPECT_GE(upper(found.error), w / (1 - (a + beta * c) * (a + beta * c)) - w / d);
  }
  EXPECT_THROW(average_over_set(step, matrix(1, 1, {1}), 1.01 / alpha, false, 1, reply, cost),
               TooWide);
}

// x+ = (a + F_2 c) x + b + F_1 + e: the mean is (b + F_1)/(1 - a - F_2 c).
TEST(Stationary, OrdersOfAConstant) {
  const double a = 0.5, b = 0.7, c = 1, w = 1.5, d = 1 - a * a, m = b / (1 - a);
  const ClosedStep step{matrix(2, 2, {1, 0, b, a}), identity(2), matrix(2, 2, {0.3, 0.2, 0.2, w})};
  const double alpha = 1.0001 * c / (1 - a), zeta = 1.0001 * std::sqrt(w) / (1 - a);
  const Gain reply = scalar_gain(a, c * c, alpha), cost = scalar_gain(a, w, zeta);
  const auto average = [&](double F_1, double F_2) {
    const double mean = (b + F_1) / (1 - a - F_2);
    return 0.3 + 0.4 * mean + w * mean * mean + w / (1 - (a + F_2) * (a + F_2));
  };
  const double nominal = 0.3 + 0.4 * m + w * m * m + w / d;
  double before = 0;
  for (const double beta : {0.04, 0.02, 0.01}) {
    double error = 1e9;  // of the best multiplier
    for (double nu = 50; nu < 2e4; nu *= 1.03) {
      const Average found =
          average_over_set(step, matrix(2, 1, {0, 1}), beta, true, nu, reply, cost);
      expect_ball(found.nominal, nominal);
      error = std::min(error, upper(found.error));
    }
    double worst = 0;
    for (double angle = 0; angle < 6.3; angle += 0.001)
      worst = std::max(worst, average(beta * std::cos(angle), beta * std::sin(angle)) - nominal);
    // What is left is of the third order.
    EXPECT_GT(error, worst);
    if (before > 0) {
      EXPECT_LT(error - worst, before / 6);
    }
    before = error - worst;
  }
  EXPECT_LT(before, 1e-3);
}

}  // namespace
}  // namespace verify::testing
