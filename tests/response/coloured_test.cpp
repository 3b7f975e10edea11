#include "response/coloured.hpp"

#include <gtest/gtest.h>

#include "learning/minimizers.hpp"
#include "random_system.hpp"
#include "response/space.hpp"

namespace loopcert::testing {
namespace {

class Coloured : public ::testing::TestWithParam<int> {
 protected:
  Coloured() : seed(static_cast<std::uint64_t>(GetParam())) {
    shape = random_shape(seed);
    shape.offset = false;
    system = random_system(shape, seed);
  }
  std::uint64_t seed;
  Shape shape;
  System system;
};

// w_t = a w_{t-1} + v_t with v_t of any covariance C: the optimum under that law, by the causal
// factorization of its covariance, is the response of the recursion, which has never seen C.
TEST_P(Coloured, IsOptimalWhateverTheCovariance) {
  SCOPED_TRACE(shape_text(shape));
  const Sizes s_ = system.sizes();
  const Index n_x = s_.n_x, T = s_.T;
  const Matrix root = random_matrix(n_x, n_x, seed + 1) + 3 * Matrix::Identity(n_x, n_x);
  const Matrix C = root * root.transpose();
  for (const double a : {0.0, 0.6, 0.9, 1.0}) {
    Matrix Sigma = Matrix::Zero((T + 1) * n_x, (T + 1) * n_x);
    Sigma.topLeftCorner(n_x, n_x) = C;
    for (Index t = 0; t < T; ++t)
      for (Index s = 0; s < T; ++s) {
        double c = 0;  // E w_t w_s' = sum over k of a^{t-k} a^{s-k} C
        for (Index k = 0; k <= std::min(s, t); ++k)
          c += std::pow(a, static_cast<double>(t - k)) * std::pow(a, static_cast<double>(s - k));
        Sigma.block((t + 1) * n_x, (s + 1) * n_x, n_x, n_x) = c * C;
      }
    const ResponseSpace space = make_response_space(system, {});
    const Response best =
        response_at(system, space.coordinates, minimize_risk(space.cost, Sigma).Z);
    const Response found = coloured_response(system, lqr_gains(system), a);
    EXPECT_LT(relative_distance(system, found, best), 1e-6) << "a = " << a;
    EXPECT_LT(achievability_residual(system.plant, found), 1e-12);
  }
}

// With the response's own metric: the covariance is of that colour, and definite.
TEST_P(Coloured, CovarianceHasTheColour) {
  const LqrGains gains = lqr_gains(system);
  for (const double a : {0.6, 1.0}) {
    const Matrix Sigma = coloured_covariance(system, gains, a);
    const Response best = response_at(system, make_response_space(system, {}).coordinates,
                                      minimize_risk(make_response_space(system, {}).cost, Sigma).Z);
    EXPECT_LT(relative_distance(system, best, coloured_response(system, gains, a)), 1e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(Random, Coloured, ::testing::Range(1, 25));

// The coordinates of the cost: P = I, also for a plant that grows a millionfold over its horizon.
TEST(CostBasis, IsOrthonormalInTheCost) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Shape shape = random_shape(seed);
    shape.T = 24;
    shape.growth = 1.8;
    const System system = random_system(shape, seed);
    const ResponseSpace space = make_response_space(system, around_lqr(true));
    EXPECT_LT(space.coordinates.basis_error, 1e-9) << shape_text(shape);
    // LQR is the start: on white noise no free coordinate has a slope.
    Matrix slope = space.cost.N_0;
    project_causal(space.coordinates.pattern, slope);
    EXPECT_LT(slope.norm(), 1e-7 * std::sqrt(space.cost.K_0.trace())) << shape_text(shape);
  }
}

}  // namespace
}  // namespace loopcert::testing
