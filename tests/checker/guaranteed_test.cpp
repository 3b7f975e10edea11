// docs/theory/identified-cost.md, items 1 to 3: gains on an ellipsoid of plants.
#include "lemmas/lemmas.hpp"
#include "numbers.hpp"

namespace verify::testing {
namespace {

ClosedStep scalar(double a, double c, double weight) {
  return {matrix(1, 1, {a}), matrix(1, 1, {c}), matrix(1, 1, {weight})};
}

// One state: the largest cost over |f| <= beta is that of f = +-beta, and some tau attains it.
TEST(Guaranteed, StepOfOneState) {
  const double a = 0.7, c = 0.4, q = 2, h = 1.5, beta = 0.6, P = 3;
  const double exact = q + P * std::pow(a + h * beta * c, 2);
  double least = INFINITY;
  for (double tau = P * h * h * 1.0001; tau < 1000; tau *= 1.001) {
    const Mat next =
        guaranteed_step(scalar(a, c, q), matrix(1, 1, {h}), beta, matrix(1, 1, {P}), tau);
    EXPECT_GE(upper(next(0, 0)), exact);
    least = std::min(least, upper(next(0, 0)));
  }
  EXPECT_NEAR(least, exact, 1e-5);
  EXPECT_THROW(guaranteed_step(scalar(a, c, q), matrix(1, 1, {h}), beta, matrix(1, 1, {P}),
                               P * h * h * 0.999),
               TooWide);
}

Mat drawn(Normal& normal, long rows, long cols, double size) {
  Mat A(rows, cols);
  for (long i = 0; i < rows; ++i)
    for (long j = 0; j < cols; ++j) A.set(i, j, size * normal());
  return A;
}

Mat square(const Mat& A) { return transpose(A) * A; }

// Whatever the error, the cost to go is not above.
TEST(Guaranteed, StepOfManyStates) {
  Normal normal(11);
  constexpr double beta = 0.8;
  for (int round = 0; round < 20; ++round) {
    const ClosedStep step{drawn(normal, 3, 3, 0.5), drawn(normal, 4, 3, 0.3),
                          square(drawn(normal, 3, 3, 1))};
    const Mat H = drawn(normal, 3, 2, 0.7), P = square(drawn(normal, 4, 3, 1));
    const Ball tau = 1.5 * trace(transpose(H) * P * H);
    const Mat next = guaranteed_step(step, H, beta, P, tau);
    for (int k = 0; k < 50; ++k) {
      const Mat F = drawn(normal, 2, 4, 1), x = drawn(normal, 3, 1, 1);
      const Mat A = step.A + beta / sqrt(dot(F, F)) * (H * F * step.C);
      const Mat own = step.weight + transpose(A) * P * A;
      EXPECT_GT(lower(dot(x, (next - own) * x)), 0);
    }
  }
}

TEST(Guaranteed, NeedsStrictInequalities) {
  const auto holds = [](double a, double c, double q, double P, double tau) {
    return is_guaranteed(scalar(a, c, q), matrix(1, 1, {1}), 1, {matrix(1, 1, {P}), tau, 0});
  };
  // The plant a + c = 1 of the set is not stable, though the matrix is semidefinite.
  EXPECT_FALSE(holds(0.5, 0.5, 0, 1, 2));
  EXPECT_TRUE(holds(0.5, 0.499, 0, 1, 2));
  EXPECT_FALSE(holds(2, 0, 0, -1, 2));         // P below zero, and the block matrix above
  EXPECT_FALSE(holds(0.5, 0.1, 1, 1.2, 0.9));  // tau below H'P H
}

// Without an error: x_{t+1} = a x + b + h e has mean m = b/(1-a) and variance h^2/(1-a^2).
struct Affine {
  double a = 0.8, b = 0.3, h = 0.5, q = 2;
  double X = q / (1 - a * a) * (1 + 1e-4), p = a * b * X / (1 - a), rise = b * b * X + 2 * b * p;
  double exact = q * (std::pow(b / (1 - a), 2) + h * h / (1 - a * a));

  ClosedStep step(double c) const {
    return {matrix(2, 2, {1, 0, b, a}), matrix(1, 2, {0, c}), matrix(2, 2, {0, 0, 0, q})};
  }
  Mat H() const { return matrix(2, 1, {0, h}); }
  Certified numbers(double factor, double more) const {
    return {matrix(2, 2, {0, p, p, factor * X}), 1e6, rise + more, true};
  }
};

TEST(Guaranteed, AverageWithAConstant) {
  const Affine plant;
  const ClosedStep step = plant.step(0);
  const Certified by = plant.numbers(1, 1e-3);
  ASSERT_TRUE(is_guaranteed(step, plant.H(), 0, by));
  expect_ball(average_of_estimate(step, plant.H(), by), plant.exact);
  const double bound = upper(by.rise + dot(plant.H(), by.P * plant.H()));
  EXPECT_GE(bound, plant.exact);
  EXPECT_LE(bound, plant.exact + 2e-3);
  EXPECT_FALSE(is_guaranteed(step, plant.H(), 0, plant.numbers(0.999, 1e-3)));
  EXPECT_FALSE(is_guaranteed(step, plant.H(), 0, plant.numbers(1, -1e-3)));
  EXPECT_FALSE(is_guaranteed(plant.step(0.25), plant.H(), 1, by));  // a + 0.125 moves the mean
}

// The sum over powers, step by step.
TEST(Guaranteed, AverageOfTheEstimate) {
  Normal normal(5);
  const Mat A = matrix(3, 3, {0.9, 0.2, 0, -0.2, 0.9, 0.1, 0, 0, 0.5}), H = drawn(normal, 3, 2, 1);
  const ClosedStep step{A, Mat(2, 3), square(drawn(normal, 3, 3, 1))};
  Mat S = step.weight;
  for (int k = 0; k < 2000; ++k) S = middle(step.weight + transpose(A) * S * A);
  const Mat P = 1.0001 * S;
  ASSERT_TRUE(is_guaranteed(step, H, 0, {P, 1e9, 0}));
  const double exact = upper(dot(H, S * H));
  const Ball found = average_of_estimate(step, H, {P, 1e9, 0});
  EXPECT_NEAR(upper(found), exact, 1e-11 * exact);
  EXPECT_NEAR(lower(found), exact, 1e-11 * exact);
}

// One state: inf over |f| <= beta |c x| of p (a x + h f)^2 + w x^2 by the multiplier at which both
// agree, and a little less at any other.
TEST(Guaranteed, StepBelowOneState) {
  const double a = 0.9, c = 0.5, w = 0.7, h = 1.3, p = 2, beta = 0.4;
  const ClosedStep step{matrix(1, 1, {a}), matrix(1, 1, {c}), matrix(1, 1, {w})};
  const Mat H = matrix(1, 1, {h}), P = matrix(1, 1, {p});
  const double exact = w + p * (a - h * beta * c) * (a - h * beta * c);
  const double best = p * h * a / (beta * c) - p * h * h;
  const auto at = [&](double tau) { return guaranteed_step_below(step, H, beta, P, tau)(0, 0); };
  expect_ball(at(best), exact);
  for (const double factor : {0.0, 0.5, 0.9, 1.1, 3.0}) EXPECT_LT(upper(at(factor * best)), exact);
  // A P that is not positive needs a multiplier; a negative multiplier is none.
  EXPECT_THROW(guaranteed_step_below(step, H, beta, matrix(1, 1, {-2}), 3), TooWide);
  EXPECT_THROW(guaranteed_step_below(step, H, beta, P, -0.1), TooWide);
  const double there = upper(guaranteed_step_below(step, H, beta, matrix(1, 1, {-2}), 6)(0, 0));
  for (const double f : {-1.0, -0.3, 0.0, 0.5, 1.0})
    EXPECT_LT(there, w - 2 * std::pow(a + h * f * beta * c, 2) + 1e-12);
}

TEST(Guaranteed, LargestBetween) {
  const Mat root = matrix(2, 2, {2, 0, 0, 0.5}), X = matrix(2, 2, {3, 0, 0, -4});
  // M = diag(12, -1)
  EXPECT_NEAR(upper(largest_between(X, root, 0.25)), 0.25 * 11 + 0.75 * 12, 1e-9);
  EXPECT_NEAR(upper(largest_between(X, root, 1)), 11, 1e-9);
  EXPECT_NEAR(upper(largest_between(Ball(-1) * X, root, 0.5)), 0.5 * -11 + 0.5 * 1, 1e-9);
  // Off the diagonal: eigenvalues 3 and -1.
  const Mat Y = matrix(2, 2, {1, 2, 2, 1});
  EXPECT_NEAR(upper(largest_between(Y, identity(2), 0)), 3, 1e-9);
}

}  // namespace
}  // namespace verify::testing
