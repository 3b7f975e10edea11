#include "loopcert/data/law.hpp"
#include "data/moments.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "chance.hpp"
#include "input_error.hpp"
#include "random_system.hpp"
#include "seed.hpp"

namespace loopcert {
namespace {

using testing::contains;
using testing::input_error;

Law dense_law(Index d) {
  const Matrix factor = testing::random_matrix(d, d + 2, 11);
  return {testing::random_matrix(d, 1, 12), factor * factor.transpose() / static_cast<double>(d)};
}

Law singular_law(Index d) {
  const Matrix factor = testing::random_matrix(d, 2, 13);
  return {testing::random_matrix(d, 1, 14), factor * factor.transpose()};
}

Law diagonal_law(Index d) {
  Vector variances = testing::random_matrix(d, 1, 15).cwiseAbs2();
  variances(1) = 0;
  return {testing::random_matrix(d, 1, 16), variances.asDiagonal()};
}

struct Named {
  const char* name;
  Law law;
};

std::vector<Named> laws() {
  const Sizes sizes = state_feedback(2, 1, 3);
  return {{"dense", dense_law(8)},
          {"singular", singular_law(8)},
          {"diagonal", diagonal_law(8)},
          {"ar1", {Vector::Constant(8, 0.3), ar1_covariance(sizes, -0.7, 0.5)}}};
}

// Every entry of the sample moments of 200 000 draws lies within some standard errors of the law's:
// Var(mean_j) = S_jj / n and Var(cov_jk) = (S_jj S_kk + S_jk^2) / n.
TEST(SampleDisturbances, HaveTheMeanAndCovarianceOfTheLaw) {
  const Index n = 200000;
  for (const auto& [name, law] : laws()) {
    const Disturbances data = sample_disturbances(law, testing::test_stream(2024, 1), n);
    const Vector mean = data.w.colwise().mean();
    const Matrix centred = data.w.rowwise() - law.mean.transpose();
    const Matrix covariance = centred.transpose() * centred / static_cast<double>(n);
    const Matrix& S = law.covariance;
    for (Index j = 0; j < S.rows(); ++j) {
      // A sum of n equal numbers may be off by n units of its last place.
      const double rounding = n * std::numeric_limits<double>::epsilon() * std::abs(law.mean(j));
      EXPECT_NEAR(mean(j), law.mean(j), testing::sigmas * std::sqrt(S(j, j) / n) + rounding)
          << name;
      for (Index k = 0; k < S.rows(); ++k)
        EXPECT_NEAR(
            covariance(j, k), S(j, k),
            testing::sigmas * std::sqrt((S(j, j) * S(k, k) + S(j, k) * S(j, k)) / n) + 1e-12)
            << name << " " << j << " " << k;
    }
  }
}

TEST(SampleDisturbances, DoNotDependOnHowRequestsAreCut) {
  for (const auto& [name, law] : laws()) {
    const Stream stream = testing::test_stream(7, 3);
    const Matrix all = sample_disturbances(law, stream, 200).w;
    EXPECT_EQ(sample_disturbances(law, stream, 10, 5).w, all.middleRows(5, 10)) << name;
    EXPECT_EQ(sample_disturbances(law, stream, 100, 60).w, all.middleRows(60, 100)) << name;
    for (const Index i : {0, 1, 63, 64, 65, 127, 128, 199})
      EXPECT_EQ(sample_disturbances(law, stream, 1, static_cast<std::uint64_t>(i)).w, all.row(i))
          << name << " " << i;
    EXPECT_NE(sample_disturbances(law, testing::test_stream(8, 3), 5).w, all.topRows(5)) << name;
    EXPECT_NE(sample_disturbances(law, testing::test_stream(7, 4), 5).w, all.topRows(5)) << name;
    EXPECT_NE(all.row(0), all.row(1)) << name;
  }
}

TEST(SampleDisturbances, OfADiagonalLawAreScaledNormalsToTheLastBit) {
  const Law law = diagonal_law(6);
  const Stream stream = testing::test_stream(42, 0);
  const Matrix z = standard_normal_rows(stream, 9, 20, 6);
  const Matrix w = sample_disturbances(law, stream, 20, 9).w;
  for (Index i = 0; i < 20; ++i)
    for (Index j = 0; j < 6; ++j)
      EXPECT_EQ(w(i, j), std::fma(std::sqrt(law.covariance(j, j)), z(i, j), law.mean(j)));
  EXPECT_TRUE((w.col(1).array() == law.mean(1)).all());
}

// Which directions a singular covariance has does not depend on the units of its rows: the same
// draws, in those units.
TEST(SampleDisturbances, OfASingularLawGoWithTheUnits) {
  const Law law = singular_law(5);
  Vector unit(5);
  unit << 1, 3e-6, 7e5, 2e-3, 40;
  const Law other{unit.asDiagonal() * law.mean,
                  unit.asDiagonal() * law.covariance * unit.asDiagonal()};
  const Matrix w = sample_disturbances(law, testing::test_stream(4, 1), 20).w;
  const Matrix in_units = sample_disturbances(other, testing::test_stream(4, 1), 20).w;
  const Matrix back = in_units * unit.cwiseInverse().asDiagonal();
  EXPECT_LT((back - w).cwiseAbs().maxCoeff(), 1e-6 * w.cwiseAbs().maxCoeff());
}

TEST(SampleDisturbances, RefuseToDrawNone) {
  EXPECT_TRUE(contains(input_error([] { sample_disturbances(dense_law(2), {}, 0); }),
                       "found 0, expected at least 1"));
}

TEST(LawMoments, AddTheMeanToTheCovariance) {
  const Law law = dense_law(5);
  const Moments moments = law_moments(law);
  EXPECT_EQ(moments.mean, law.mean);
  EXPECT_LT((moments.covariance() - law.covariance).cwiseAbs().maxCoeff(), 1e-14);
}

TEST(Ar1Covariance, IsTheCovarianceOfTheRecursion) {
  // w_0 = sigma e_0, w_{t+1} = a w_t + sigma sqrt(1 - a^2) e_{t+1}: w = R e, so Cov(w) = R R'.
  const Sizes sizes = state_feedback(3, 2, 6);
  for (const double a : {0.0, 0.8, -0.95}) {
    const double sigma = 0.4;
    Matrix R = Matrix::Zero(sizes.d_w(), sizes.d_w());
    for (Index i = 0; i < sizes.n_x; ++i) {
      R(i, i) = sigma;  // x_0, apart
      R(sizes.n_x + i, sizes.n_x + i) = sigma;
    }
    for (Index t = 2; t <= sizes.T; ++t)
      for (Index i = 0; i < sizes.n_x; ++i) {
        const Index row = t * sizes.n_x + i;
        R.row(row) = a * R.row(row - sizes.n_x);
        R(row, row) = sigma * std::sqrt(1 - a * a);
      }
    const Matrix covariance = ar1_covariance(sizes, a, sigma * sigma);
    EXPECT_LT((covariance - R * R.transpose()).cwiseAbs().maxCoeff(), 1e-15) << a;
    EXPECT_EQ(input_error([&] { check_law({Vector::Zero(sizes.d_w()), covariance}, sizes); }), "");
  }
  for (const double a : {1.0, -1.0, 1.5, std::nan("")})
    EXPECT_TRUE(contains(input_error([&] { ar1_covariance(sizes, a, 1.0); }), "between -1 and 1"));
  EXPECT_TRUE(contains(input_error([&] { ar1_covariance(sizes, 0.5, -1.0); }), "found -1"));
}

TEST(CheckLaw, NamesWhatIsWrong) {
  const Sizes sizes = state_feedback(1, 1, 2);
  const Matrix I = Matrix::Identity(3, 3);
  const Vector zero = Vector::Zero(3);
  const auto message = [&](const Vector& mean, const Matrix& covariance) {
    return input_error([&] { check_law({mean, covariance}, sizes); });
  };
  EXPECT_EQ(message(zero, I), "");
  EXPECT_EQ(message(zero, 0 * I), "");
  EXPECT_EQ(message(zero, Matrix::Ones(3, 3)), "");  // singular is a law too
  EXPECT_TRUE(contains(message(Vector::Zero(2), I), "disturbance.mean: found 2 x 1"));
  EXPECT_TRUE(contains(message(zero, Matrix::Identity(2, 2)), "covariance: found 2 x 2"));
  EXPECT_TRUE(contains(message(zero, -I), "found variance -1 at 0"));
  Matrix bad = I;
  bad(2, 0) = 0.5;
  EXPECT_TRUE(contains(message(zero, bad), "covariance[2][0]: found 0.5"));
  bad(0, 2) = 0.5;
  bad(2, 2) = 0.2;
  EXPECT_TRUE(contains(message(zero, bad), "eigenvalue"));
  bad(1, 1) = std::nan("");
  EXPECT_TRUE(contains(message(zero, bad), "covariance[1][1]: found nan"));
}

}  // namespace
}  // namespace loopcert
