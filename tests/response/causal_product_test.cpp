// Products that skip what causality makes zero, against the whole product.
#include "loopcert/response/causal_product.hpp"

#include <gtest/gtest.h>

#include "random_system.hpp"

namespace loopcert {
namespace {

// Small: one dense product. Large: above the work at which panels are cut.
std::vector<CausalPattern> patterns() {
  std::vector<CausalPattern> all;
  for (const Sizes& sizes : {Sizes{2, 1, 5}, Sizes{6, 3, 31}, Sizes{7, 5, 30}})
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

TEST(CausalProduct, IsTheWholeProduct) {
  for (const CausalPattern& pattern : patterns()) {
    const Index d_u = pattern.rows(), d_z = pattern.cols();
    const Matrix Z = random_causal(pattern, 1);
    const Matrix P = testing::random_matrix(d_u, d_u, 2);
    const Matrix S = testing::random_matrix(d_z, d_z, 3);
    const Matrix H = testing::random_matrix(d_u, d_z, 4);
    Matrix C;
    multiply_by_causal(pattern, P, Z, C, 2);
    EXPECT_LT(distance(C, P * Z), 1e-14);
    multiply_transposed_by_causal(pattern, P, Z, C, 2);
    EXPECT_LT(distance(C, P.transpose() * Z), 1e-14);
    multiply_causal_by(pattern, Z, S, C, 2);
    EXPECT_LT(distance(C, Z * S), 1e-14);
    multiply_to_causal(pattern, H, S, C, 2);
    EXPECT_LT(distance(projected(pattern, C), projected(pattern, H * S)), 1e-14);
    C = S;
    add_causal_transposed_by(pattern, Z, H, C, 2);
    EXPECT_LT(distance(C, S + Z.transpose() * H), 1e-14);
  }
}

TEST(CausalProduct, HasTheSameBitsForAnyNumberOfThreads) {
  for (const CausalPattern& pattern : patterns()) {
    const Matrix Z = random_causal(pattern, 5);
    const Matrix S = testing::random_matrix(pattern.cols(), pattern.cols(), 6);
    const Matrix P = testing::random_matrix(pattern.rows(), pattern.rows(), 7);
    Matrix one, many;
    for (const int threads : {2, 4}) {
      multiply_causal_by(pattern, Z, S, one, 1);
      multiply_causal_by(pattern, Z, S, many, threads);
      EXPECT_EQ(one, many);
      multiply_by_causal(pattern, P, Z, one, 1);
      multiply_by_causal(pattern, P, Z, many, threads);
      EXPECT_EQ(one, many);
      multiply_to_causal(pattern, Z, S, one, 1);
      multiply_to_causal(pattern, Z, S, many, threads);
      EXPECT_EQ(one, many);
      one = many = S;
      add_causal_transposed_by(pattern, Z, Z, one, 1);
      add_causal_transposed_by(pattern, Z, Z, many, threads);
      EXPECT_EQ(one, many);
    }
  }
}

}  // namespace
}  // namespace loopcert
