#include "core/dense_solvers.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>

namespace loopcert {
namespace {

TEST(DenseSolvers, SingularValuesOfAKnownProduct) {
  const double c = 0.6, s = 0.8;
  const Matrix U{{c, -s}, {s, c}}, V{{s, c}, {-c, s}};
  const Vector values = singular_values(U * Vector{{3, 0.5}}.asDiagonal() * V);
  EXPECT_NEAR(values(0), 3, 1e-14);
  EXPECT_NEAR(values(1), 0.5, 1e-14);
}

TEST(DenseSolvers, EigenSystemRestoresTheMatrix) {
  const Matrix A{{1, 2, 0}, {-3, 0.5, 1}, {0, 1, -2}};  // one real pole, one pair
  const auto [values, right, left] = eigen_system(A);
  const Eigen::MatrixXcd back = right * values.asDiagonal() * left;
  EXPECT_LE((back - A.cast<std::complex<double>>()).norm(), 1e-13);
  EXPECT_GT(values.imag().cwiseAbs().maxCoeff(), 1);
}

TEST(DenseSolvers, SolutionUnlessSingular) {
  const Matrix A{{0, 2}, {1, 0}}, B{{4}, {3}};
  const std::optional<Matrix> X = solution(A, B);
  ASSERT_TRUE(X);
  EXPECT_LE((A * *X - B).norm(), 1e-14);
  EXPECT_TRUE(is_invertible(A));
  const Matrix singular{{1, 2}, {2, 4}};
  EXPECT_FALSE(solution(singular, B));
  EXPECT_FALSE(is_invertible(singular));
}

// A double integrator has no full set of eigenvectors, and still a root.
TEST(DenseSolvers, LogarithmOfADoubleIntegrator) {
  const Matrix step{{1, 0.1}, {0, 1}};
  EXPECT_LE((exponential(logarithm(step) / 2) - Matrix{{1, 0.05}, {0, 1}}).norm(), 1e-14);
  const Matrix none{{-1, 0}, {0, 2}};  // whose logarithm is not real
  EXPECT_GT((exponential(logarithm(none)) - none).norm(), 1);
}

}  // namespace
}  // namespace loopcert
