// In an optimized build A * B is one call for all kinds of factors (core/plain_products.hpp); in
// the others it is Eigen's. Either way it is the sum that it says.
#include "core/plain_products.hpp"

#include <gtest/gtest.h>

#include <random>

namespace loopcert {
namespace {

Matrix draw(Index rows, Index cols, unsigned seed) {
  std::mt19937 bits(seed);
  Matrix M(rows, cols);
  for (double& x : M.reshaped()) x = std::ldexp(static_cast<double>(bits()), -31) - 1;
  return M;
}

Matrix by_sums(const Matrix& A, const Matrix& B) {
  Matrix C = Matrix::Zero(A.rows(), B.cols());
  for (Index i = 0; i < A.rows(); ++i)
    for (Index j = 0; j < B.cols(); ++j)
      for (Index k = 0; k < A.cols(); ++k) C(i, j) += A(i, k) * B(k, j);
  return C;
}

template <class A, class B>
void expect_product(const A& a, const B& b) {
  const Matrix C = a * b;
  const Matrix expected = by_sums(Matrix(a), Matrix(b));
  ASSERT_EQ(C.rows(), expected.rows());
  ASSERT_EQ(C.cols(), expected.cols());
  EXPECT_LE((C - expected).norm(), 1e-13 * (1 + expected.norm()));
}

TEST(PlainProducts, FactorsOfEveryKind) {
  const Matrix A = draw(30, 40, 1), B = draw(40, 20, 2);
  const Vector x = draw(40, 1, 3), y = draw(30, 1, 4);
  const Eigen::RowVectorXd r = draw(1, 30, 5);
  using ByRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const ByRows R = draw(40, 20, 6);
  expect_product(A, B);
  expect_product(B.transpose(), A.transpose());
  expect_product(A.transpose(), A);
  expect_product(A, A.transpose());
  expect_product(A, R);
  expect_product(R.transpose(), A.transpose());
  expect_product(A.block(3, 5, 7, 11), B.block(9, 2, 11, 5));
  expect_product(A.middleRows(2, 5).transpose(), A.middleRows(2, 5));
  expect_product(2 * A, B + B);
  expect_product(A.cwiseAbs(), (B - R).transpose().transpose());
  expect_product(A, x);
  expect_product(A.transpose(), y);
  expect_product(r, A);
  expect_product(y.transpose(), A);
  expect_product(A.row(4), B);  // a row of columns: numbers are not side by side
  expect_product(A, B.row(0).transpose().replicate(2, 1));
  expect_product(y, x.transpose());
  expect_product(A.row(3).transpose(), B.row(2));
  expect_product(A * B, B.transpose());
  expect_product(Eigen::Map<const Matrix>(A.data(), 20, 60),
                 Eigen::Map<const Matrix>(B.data(), 60, 10));
}

TEST(PlainProducts, NothingTimesNothing) {
  const Matrix A = Matrix::Zero(3, 0), B = Matrix::Zero(0, 2);
  const Matrix C = A * B;
  EXPECT_EQ(C.rows(), 3);
  EXPECT_EQ(C.cols(), 2);
  EXPECT_TRUE(C.isZero(0.0));
  EXPECT_EQ((B * Matrix::Zero(2, 4)).rows(), 0);
}

TEST(PlainProducts, ResultThatIsAFactor) {
  const Matrix A = draw(8, 8, 7);
  Matrix power = A;
  power = power * A;
  EXPECT_LE((power - by_sums(A, A)).norm(), 1e-14);
  power.noalias() += A * A;
  EXPECT_LE((power - 2 * by_sums(A, A)).norm(), 1e-13);
}

// Inner products stay numbers.
TEST(PlainProducts, InnerProduct) {
  const Vector x = draw(9, 1, 8), y = draw(9, 1, 9);
  const double inner = x.transpose() * y;
  EXPECT_NEAR(inner, by_sums(x.transpose(), y)(0, 0), 1e-14);
}

}  // namespace
}  // namespace loopcert
