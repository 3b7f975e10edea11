#include "response/response.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "data/moments.hpp"
#include "learning/minimizers.hpp"
#include "loopcert/core/error.hpp"
#include "random_system.hpp"
#include "response/lqr.hpp"
#include "response/space.hpp"
#include "risk/risk.hpp"

namespace loopcert::testing {
namespace {

class RandomResponse : public ::testing::TestWithParam<int> {};

TEST_P(RandomResponse, IsAchievableAndCausal) {
  const auto seed = static_cast<std::uint64_t>(GetParam());
  const Shape shape = random_shape(seed);
  SCOPED_TRACE(shape_text(shape));
  const System system = random_system(shape, seed);
  const ResponseSpace space =
      make_response_space(system, {.affine = (seed % 2) == 0, .start = Start::lqr});
  const Response r =
      response_at(system, space.coordinates, random_coordinates(space.coordinates.pattern, seed));
  EXPECT_LT(achievability_residual(system.plant, r), 1e-12);
  for (Index i = 0; i < r.Phi_u.rows(); ++i)
    for (Index j = (i / shape.n_u + 1) * shape.n_x; j < r.Phi_u.cols(); ++j)
      EXPECT_EQ(r.Phi_u(i, j), 0.0);
}

TEST_P(RandomResponse, ResidualSeesAWrongEntry) {
  const auto seed = static_cast<std::uint64_t>(GetParam());
  const System system = random_system(random_shape(seed), seed);
  const ResponseSpace space = make_response_space(system, {.affine = true});
  Response r =
      response_at(system, space.coordinates, random_coordinates(space.coordinates.pattern, seed));
  const auto size = [](const Matrix& part) { return part.cwiseAbs().maxCoeff(); };
  r.Phi_u(0, 0) +=
      1e-3 * std::max({1.0, size(r.Phi_x), size(r.Phi_u), size(r.phi_x), size(r.phi_u)});
  // It meets the states through the first column of B_0.
  EXPECT_GT(achievability_residual(system.plant, r),
            0.9e-3 * system.plant.B_at(0).col(0).cwiseAbs().maxCoeff());
}

// The stored products against their definitions P = S'S, N_0 = S'M_0, K_0 = M_0'M_0, with S and M_0
// read off weighted responses.
TEST_P(RandomResponse, StoredProductsAreWhatTheySay) {
  const auto seed = static_cast<std::uint64_t>(GetParam());
  const Shape shape = random_shape(seed);
  SCOPED_TRACE(shape_text(shape));
  const System system = random_system(shape, seed);
  const ResponseSpace space = make_response_space(system, {.affine = true, .start = Start::lqr});
  const auto extended = [&](const Matrix& Z) {
    const auto y =
        weighted_response(system.cost, system.sizes(), response_at(system, space.coordinates, Z));
    Matrix M(y.M.rows(), y.M.cols() + 1);
    M << y.m, y.M;
    return M;
  };
  const Matrix zero =
      Matrix::Zero(space.coordinates.pattern.rows(), space.coordinates.pattern.cols());
  const Matrix M_0 = extended(zero);
  Matrix S(M_0.rows(),
           space.coordinates.pattern.rows());  // the offset column is full: it shows all of S
  for (Index i = 0; i < S.cols(); ++i) {
    Matrix Z = zero;
    Z(i, 0) = 1;
    S.col(i) = (extended(Z) - M_0).col(0);
  }
  EXPECT_LT((S.transpose() * S - space.cost.P).norm(), 1e-11 * space.cost.P.norm());
  EXPECT_LT((S.transpose() * M_0 - space.cost.N_0).norm(), 1e-11 * (1 + space.cost.N_0.norm()));
  EXPECT_LT((M_0.transpose() * M_0 - space.cost.K_0).norm(), 1e-11 * space.cost.K_0.norm());
}

// Riccati against least squares: under white noise no response beats LQR's, and the causal
// factorization finds it.
TEST_P(RandomResponse, LqrIsTheWhiteNoiseOptimum) {
  const auto seed = static_cast<std::uint64_t>(GetParam());
  const Shape shape = random_shape(seed);
  SCOPED_TRACE(shape_text(shape));
  const System system = random_system(shape, seed);
  const Index d_w = system.sizes().d_w();
  const Moments white{Vector::Zero(d_w), Matrix::Identity(d_w, d_w)};
  const Response lqr = lqr_response(system);
  const ResponseSpace space = make_response_space(system, {.affine = true});
  const Matrix Sigma = moment_matrix(white, true);
  const Minimizer best = minimize_risk(space.cost, Sigma);
  const double optimum = risk(space.cost, Sigma, best.Z);
  EXPECT_NEAR(response_risk(system, lqr, white), optimum, 1e-10 * (1 + optimum));
  EXPECT_LT((response_at(system, space.coordinates, best.Z).Phi_u - lqr.Phi_u).norm(),
            1e-8 * (1 + lqr.Phi_u.norm()));
  EXPECT_LT((coordinates_of(space.coordinates, lqr) - best.Z).norm(), 1e-8 * (1 + best.Z.norm()));
}

INSTANTIATE_TEST_SUITE_P(Random, RandomResponse, ::testing::Range(1, 31));

TEST(Lqr, ChainOfTenReachesTheKnownFixedPoint) {
  System system;
  system.plant.T = 300;
  Matrix A = 0.6 * Matrix::Identity(10, 10);
  A(0, 0) = A(9, 9) = 0.8;
  for (Index i = 0; i + 1 < 10; ++i) A(i, i + 1) = A(i + 1, i) = 0.2;
  const Matrix I = Matrix::Identity(10, 10);
  system.plant.A = {A};
  system.plant.B = {I};
  system.cost = {{I}, {I}, I};
  EXPECT_NEAR(lqr_gains(system).V.front().trace(), 12.8731760246, 1e-9);
}

System chain(Index n, double diagonal, double coupling) {
  Matrix A = diagonal * Matrix::Identity(n, n);
  for (Index i = 0; i + 1 < n; ++i) A(i, i + 1) = A(i + 1, i) = coupling;
  Matrix B = Matrix::Zero(n, 2);  // one actuator at each end
  B(0, 0) = B(n - 1, 1) = 1;
  System system;
  system.plant.T = 400;
  system.plant.A = {A};
  system.plant.B = {B};
  system.cost = {{Matrix::Identity(n, n)}, {1e-3 * Matrix::Identity(2, 2)}, Matrix::Zero(n, n)};
  return system;
}

// Every mode of the chain unstable and only its ends actuated: the textbook recursion loses
// positivity here after some hundred steps. V must stay finite, symmetric and at least Q.
TEST(Lqr, ChainOfFiftyNineStaysBounded) {
  const System system = chain(59, 1.02, 0.3);
  const LqrGains gains = lqr_gains(system);
  for (const Matrix& V : gains.V) {
    ASSERT_TRUE(V.allFinite());
    ASSERT_EQ(V, V.transpose());
  }
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(gains.V.front());
  EXPECT_GT(eigen.eigenvalues().minCoeff(), -1e-12 * eigen.eigenvalues().maxCoeff());
}

// The Riccati equation in its textbook form, on a chain where that form is accurate.
TEST(Lqr, SatisfiesTheRiccatiEquation) {
  const System system = chain(59, 0.6, 0.2);
  const LqrGains gains = lqr_gains(system);
  const Matrix &A = system.plant.A[0], &B = system.plant.B[0], &V = gains.V[1];
  const Matrix G = system.cost.R[0] + B.transpose() * V * B;
  const Matrix plain = Matrix::Identity(59, 59) + A.transpose() * V * A -
                       (A.transpose() * V * B) * G.inverse() * (B.transpose() * V * A);
  EXPECT_LT((plain - gains.V[0]).norm(), 1e-12 * gains.V[0].norm());
}

TEST(Coordinates, RefuseAnOffsetTheyCannotHold) {
  const System system = double_integrator();
  const ResponseSpace space = make_response_space(system, {});
  Response r = lqr_response(system);
  r.phi_u.setOnes();
  EXPECT_THROW(coordinates_of(space.coordinates, r), InputError);
}

}  // namespace
}  // namespace loopcert::testing
