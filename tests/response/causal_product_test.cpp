// Products that skip what causality makes zero, against the whole product.
#include "response/causal_product.hpp"

#include <gtest/gtest.h>

#include "random_system.hpp"

namespace loopcert {
namespace {

// Smaller than a tile, and several tiles wide, deep and high.
std::vector<CausalPattern> patterns() {
  std::vector<CausalPattern> all;
  for (const Sizes& sizes :
       {state_feedback(2, 1, 5), state_feedback(6, 3, 31), state_feedback(11, 5, 30)})
    for (const auto& [constant, affine] :
         {std::pair{false, false}, std::pair{true, false}, std::pair{true, true}})
      all.push_back({sizes, constant, affine});
  return all;
}

Matrix random_causal(const CausalPattern& pattern, unsigned seed) {
  Matrix Z = testing::random_matrix(pattern.rows(), pattern.cols(), seed);
  project_causal(pattern, Z);
  return Z;
}

Matrix projected(const CausalPattern& pattern, Matrix C) {
  project_causal(pattern, C);
  return C;
}

double distance(const Matrix& A, const Matrix& B) { return (A - B).norm() / (1 + B.norm()); }

Matrix triangle(Index size, bool low, unsigned seed) {
  const Matrix A = testing::random_matrix(size, size, seed);
  return low ? Matrix(A.triangularView<Eigen::Lower>()) : Matrix(A.triangularView<Eigen::Upper>());
}

struct Factors {
  explicit Factors(const CausalPattern& pattern)
      : Z(random_causal(pattern, 1)),
        P(testing::random_matrix(pattern.rows(), pattern.rows(), 2)),
        S(testing::random_matrix(pattern.cols(), pattern.cols(), 3)),
        H(testing::random_matrix(pattern.rows(), pattern.cols(), 4)),
        L(triangle(pattern.cols(), true, 5)),
        R(triangle(pattern.rows(), false, 6)) {}

  Matrix Z, P, S, H, L, R;
};

TEST(CausalProduct, IsTheWholeProduct) {
  for (const CausalPattern& pattern : patterns()) {
    const auto [Z, P, S, H, L, R] = Factors(pattern);
    Team team(2);
    Matrix C;
    multiply(pattern, full(P), causal(Z), C, team);
    EXPECT_LT(distance(C, P * Z), 1e-14);
    multiply(pattern, transposed(full(P)), causal(Z), C, team);
    EXPECT_LT(distance(C, P.transpose() * Z), 1e-14);
    multiply(pattern, causal(Z), full(S), C, team);
    EXPECT_LT(distance(C, Z * S), 1e-14);
    multiply(pattern, full(S), transposed(causal(Z)), C, team);
    EXPECT_LT(distance(C, S * Z.transpose()), 1e-14);
    C = S;
    add_product(pattern, transposed(causal(Z)), full(H), C, team);
    EXPECT_LT(distance(C, S + Z.transpose() * H), 1e-14);
    multiply(pattern, upper(R), full(H), C, team);
    EXPECT_LT(distance(C, R * H), 1e-14);
    multiply(pattern, full(H), lower(L), C, team);
    EXPECT_LT(distance(C, H * L), 1e-14);
  }
}

TEST(CausalProduct, IsTheWholeProductWhereItIsRead) {
  for (const CausalPattern& pattern : patterns()) {
    const auto [Z, P, S, H, L, R] = Factors(pattern);
    Team team(2);
    Matrix C;
    const auto expect_product = [&](const Matrix& expected) {
      EXPECT_LT(distance(projected(pattern, C), projected(pattern, expected)), 1e-14);
    };
    multiply_to_causal(pattern, full(H), full(S), C, team);
    expect_product(H * S);
    multiply_to_causal(pattern, causal(Z), lower(L), C, team);
    expect_product(Z * L);
    multiply_to_causal(pattern, causal(Z), transposed(lower(L)), C, team);
    expect_product(Z * L.transpose());
    multiply_to_causal(pattern, upper(R), causal(Z), C, team);
    expect_product(R * Z);
    multiply_to_causal(pattern, transposed(upper(R)), causal(Z), C, team);
    expect_product(R.transpose() * Z);
    C = H;
    add_to_causal(pattern, full(P), full(H), C, team);
    expect_product(H + P * H);
  }
}

TEST(CausalProduct, HasTheSameBitsForAnyNumberOfThreads) {
  for (const CausalPattern& pattern : patterns()) {
    const Factors factors(pattern);
    const auto products = [&](int threads) {
      const auto& [Z, P, S, H, L, R] = factors;  // inside: clang 14 captures no bindings
      Team team(threads);
      std::vector<Matrix> all(5);
      multiply(pattern, causal(Z), full(S), all[0], team);
      multiply(pattern, full(P), causal(Z), all[1], team);
      multiply_to_causal(pattern, full(H), full(S), all[2], team);
      all[2] = projected(pattern, all[2]);
      all[3] = S;
      add_product(pattern, transposed(causal(Z)), full(H), all[3], team);
      multiply_to_causal(pattern, causal(Z), transposed(lower(L)), all[4], team);
      all[4] = projected(pattern, all[4]);
      return all;
    };
    const std::vector<Matrix> one = products(1);
    for (const int threads : {2, 4}) EXPECT_TRUE(products(threads) == one);
  }
}

}  // namespace
}  // namespace loopcert
