#include "certificate/quartic.hpp"

#include <gtest/gtest.h>

#include "chance.hpp"
#include "dense_bound.hpp"
#include "random_system.hpp"
#include "response/space.hpp"
#include "seed.hpp"

namespace loopcert::testing {
namespace {

class RandomQuartic : public ::testing::TestWithParam<int> {
 protected:
  RandomQuartic() : seed(static_cast<std::uint64_t>(GetParam())), shape(random_shape(seed)) {
    shape.T = std::min<Index>(shape.T, 3);
    system = random_system(shape, seed);
    space = make_response_space(system, {.affine = (seed % 2) == 0});
    posterior.mean = random_coordinates(space.coordinates.pattern, seed + 1);
    posterior.variance = 0.3 * random_coordinates(space.coordinates.pattern, seed + 2).cwiseAbs2();
    const Index d = space.coordinates.pattern.cols();
    const Matrix root_A = random_matrix(d, d, seed + 3), root_B = random_matrix(d, d, seed + 4);
    A = root_A * root_A.transpose() / static_cast<double>(d);
    B = root_B * root_B.transpose() / static_cast<double>(d);
  }
  std::uint64_t seed;
  Shape shape;
  System system;
  ResponseSpace space;
  Posterior posterior;
  Matrix A, B;
};

TEST_P(RandomQuartic, EqualsTheDenseTensors) {
  if (space.coordinates.p() > 40) return;  // the dense route is O(p^2) products
  SCOPED_TRACE(shape_text(shape));
  const DenseForm form = dense_form(system, space);
  const Vector mean = pack(space.coordinates.pattern, posterior.mean);
  const Vector variance = pack(space.coordinates.pattern, posterior.variance);
  const double same = dense_quartic(form, mean, variance, A, A);
  const double mixed = dense_quartic(form, mean, variance, A, B);
  EXPECT_NEAR(quartic_moment(space.cost, posterior, A, A), same, 1e-10 * same);
  EXPECT_NEAR(quartic_moment(space.cost, posterior, A, B), mixed, 1e-10 * mixed);
  EXPECT_NEAR(quartic_moment(space.cost, posterior, B, A), mixed, 1e-10 * mixed);
}

// Central differences of a quartic polynomial with step h are exact up to h^2 times the third
// derivative; two steps extrapolate that away.
TEST_P(RandomQuartic, GradientsMatchExtrapolatedDifferences) {
  SCOPED_TRACE(shape_text(shape));
  for (const Matrix* second : {&A, &B}) {
    MomentGradient gradient;
    const double value = quartic_moment(space.cost, posterior, A, *second, &gradient);
    for (std::uint64_t i = 0; i < 5; ++i) {
      const Matrix dZ = random_coordinates(space.coordinates.pattern, seed + 20 + i);
      const Matrix dV = random_coordinates(space.coordinates.pattern, seed + 40 + i);
      const auto slope = [&](double h) {
        const Posterior up{posterior.mean + h * dZ, posterior.variance + h * dV};
        const Posterior down{posterior.mean - h * dZ, posterior.variance - h * dV};
        return (quartic_moment(space.cost, up, A, *second) -
                quartic_moment(space.cost, down, A, *second)) /
               (2 * h);
      };
      const double numeric = (4 * slope(1e-3) - slope(2e-3)) / 3;
      const double exact =
          gradient.d_mean.cwiseProduct(dZ).sum() + gradient.d_variance.cwiseProduct(dV).sum();
      EXPECT_NEAR(exact, numeric, 1e-7 * (std::abs(numeric) + value));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Random, RandomQuartic, ::testing::Range(1, 21));

// Monte Carlo over the posterior.
TEST(Quartic, MeanOverDraws) {
  const System system = double_integrator();
  const ResponseSpace space = make_response_space(system, {});
  const Posterior posterior{0.2 * random_coordinates(space.coordinates.pattern, 1),
                            0.05 * random_coordinates(space.coordinates.pattern, 2).cwiseAbs2()};
  const Matrix Sigma = 0.1 * Matrix::Identity(22, 22);
  const Index N = 20000;
  Vector C(N);
  for (Index i = 0; i < N; ++i) {
    const Matrix Z = sample_posterior(posterior, test_stream(9, 9), static_cast<std::uint64_t>(i));
    const Matrix M =
        weighted_response(system.cost, system.sizes(), response_at(system, space.coordinates, Z)).M;
    C(i) = (M * Sigma * M.transpose()).squaredNorm();
  }
  const double error = std::sqrt((C.array() - C.mean()).square().mean() / static_cast<double>(N));
  EXPECT_NEAR(quartic_moment(space.cost, posterior, Sigma, Sigma), C.mean(), sigmas * error);
  EXPECT_LT(error, 0.02 * C.mean());
}

// An envelope may stand in: larger matrices in the Loewner order never give a smaller moment.
TEST(Quartic, IsMonotoneInBothMatrices) {
  const System system = double_integrator();
  const ResponseSpace space = make_response_space(system, {});
  const Posterior posterior{random_coordinates(space.coordinates.pattern, 1),
                            random_coordinates(space.coordinates.pattern, 2).cwiseAbs2()};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Matrix a = random_matrix(22, 22, seed), b = random_matrix(22, 22, seed + 100),
                 more = random_matrix(22, 3, seed + 200);
    const Matrix A = a * a.transpose(), B = b * b.transpose();
    const Matrix up = A + more * more.transpose();
    EXPECT_LE(quartic_moment(space.cost, posterior, A, B),
              quartic_moment(space.cost, posterior, up, B));
    EXPECT_LE(quartic_moment(space.cost, posterior, A, A),
              quartic_moment(space.cost, posterior, up, up));
  }
}

}  // namespace
}  // namespace loopcert::testing
