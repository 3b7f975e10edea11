#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "chance.hpp"
#include "core/linalg.hpp"
#include "loopcert/data/law.hpp"
#include "random_system.hpp"
#include "seed.hpp"

namespace loopcert {
namespace {

const double half_width = std::sqrt(3.0);

struct Named {
  const char* name;
  Law law;
};

std::vector<Named> laws() {
  const Matrix full = testing::random_matrix(6, 8, 21), thin = testing::random_matrix(6, 2, 22);
  const Vector mean = testing::random_matrix(6, 1, 23);
  Vector variances = testing::random_matrix(6, 1, 24).cwiseAbs2();
  variances(1) = 0;
  return {{"dense", {mean, full * full.transpose() / 6, LawShape::uniform}},
          {"singular", {mean, thin * thin.transpose(), LawShape::uniform}},
          {"diagonal", {mean, variances.asDiagonal(), LawShape::uniform}}};
}

// The variance of a product of coordinates is at most its Gaussian value (the fourth cumulant of u
// is negative).
TEST(UniformLaw, HasItsMeanAndCovariance) {
  const Index n = 200000;
  for (const auto& [name, law] : laws()) {
    const Disturbances data = sample_disturbances(law, testing::test_stream(2025, 1), n);
    const Matrix centred = data.w.rowwise() - law.mean.transpose();
    const Matrix covariance = centred.transpose() * centred / static_cast<double>(n);
    const Matrix& S = law.covariance;
    for (Index j = 0; j < 6; ++j) {
      EXPECT_NEAR(centred.col(j).mean(), 0, testing::sigmas * std::sqrt(S(j, j) / n) + 1e-12)
          << name;
      for (Index k = 0; k < 6; ++k)
        EXPECT_NEAR(
            covariance(j, k), S(j, k),
            testing::sigmas * std::sqrt((S(j, j) * S(k, k) + S(j, k) * S(j, k)) / n) + 1e-12)
            << name << " " << j << " " << k;
    }
  }
}

// E u^4 = 9/5, and the variance of u^4 is 81/9 - 81/25 = 5.76.
TEST(UniformLaw, HasTheFourthMomentOfAUniform) {
  const Law law{Vector::Zero(2), Matrix::Identity(2, 2), LawShape::uniform};
  const Matrix w = sample_disturbances(law, testing::test_stream(7, 0), 200000).w;
  EXPECT_NEAR(w.array().pow(4).mean(), 1.8, testing::sigmas * std::sqrt(5.76 / 400000));
}

TEST(UniformLaw, StaysInItsBox) {
  for (const auto& [name, law] : laws()) {
    const Matrix R = law_factor(law);
    EXPECT_LT((R * R.transpose() - law.covariance).cwiseAbs().maxCoeff(), 1e-12) << name;
    const Matrix w = sample_disturbances(law, testing::test_stream(3, 0), 20000).w;
    const Vector box = half_width * R.cwiseAbs().rowwise().sum();
    for (Index j = 0; j < 6; ++j)
      EXPECT_LE((w.col(j).array() - law.mean(j)).abs().maxCoeff(), box(j) + 1e-12) << name;
  }
}

TEST(UniformLaw, IsAFunctionOfStreamAndIndex) {
  for (const auto& [name, law] : laws()) {
    const Matrix all = sample_disturbances(law, testing::test_stream(9, 2), 150).w;
    EXPECT_EQ(sample_disturbances(law, testing::test_stream(9, 2), 70, 40).w,
              all.middleRows(40, 70))
        << name;
    EXPECT_EQ(sample_disturbances(law, testing::test_stream(9, 2), 1, 149).w, all.row(149)) << name;
    EXPECT_NE(sample_disturbances(law, testing::test_stream(9, 3), 150).w, all) << name;
  }
  // To the last bit: the uniforms of the stream, shifted and scaled.
  const Law law{Vector::Constant(3, 0.5), 0.25 * Matrix::Identity(3, 3), LawShape::uniform};
  const Matrix w = sample_disturbances(law, testing::test_stream(4, 0), 1, 11).w;
  double u[3];
  fill_uniform(testing::test_stream(4, 0), 11, u);
  for (Index j = 0; j < 3; ++j) EXPECT_EQ(w(0, j), std::fma(0.5, half_width * (2 * u[j] - 1), 0.5));
}

// Against all 2^6 corners of the cube.
TEST(LawReach, IsACornerAndTheFarthestOneWhenDiagonal) {
  for (const auto& [name, law] : laws()) {
    const Matrix R = law_factor(law);
    double farthest = 0, nearest_gap = INFINITY;
    for (int corner = 0; corner < 64; ++corner) {
      Vector u(6);
      for (int i = 0; i < 6; ++i) u(i) = (corner >> i & 1) ? half_width : -half_width;
      const double length = (law.mean + R * u).norm();
      farthest = std::max(farthest, length);
      nearest_gap = std::min(nearest_gap, std::abs(length - law_reach(law)));
    }
    EXPECT_LT(nearest_gap, 1e-12) << name;
    EXPECT_GE(law_reach(law), std::sqrt(law.mean.squaredNorm() + 3 * law.covariance.trace()) - 1e-9)
        << name;
    if (std::string(name) == "diagonal") {
      EXPECT_NEAR(law_reach(law), farthest, 1e-12);
    }
    const double outer = law.mean.norm() + half_width * std::sqrt(6.0) * R.operatorNorm();
    EXPECT_LE(farthest, outer + 1e-9) << name;
  }
  EXPECT_TRUE(std::isinf(law_reach({Vector::Zero(2), Matrix::Identity(2, 2)})));
  EXPECT_EQ(law_reach({Vector::Constant(1, 2.0), Matrix::Zero(1, 1)}), 2);
}

}  // namespace
}  // namespace loopcert
