#include "data/moments.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "input_error.hpp"
#include "random_system.hpp"

namespace loopcert {
namespace {

TEST(SampleMoments, AgreeWithPlainSums) {
  for (const auto& [n, d] : {std::pair<Index, Index>{1, 1}, {1, 9}, {7, 22}, {500, 13}, {65, 64}}) {
    const Disturbances data{testing::random_matrix(n, d, 17).array() + 0.25};
    const Moments moments = sample_moments(data);
    for (Index j = 0; j < d; ++j) {
      long double mean = 0;
      for (Index i = 0; i < n; ++i) mean += data.w(i, j);
      // A sum of n numbers in any order is off by n eps times the sum of their sizes.
      const double rounding = 2 * static_cast<double>(n) * std::numeric_limits<double>::epsilon();
      EXPECT_NEAR(moments.mean(j), static_cast<double>(mean / n),
                  rounding * data.w.col(j).cwiseAbs().mean());
      for (Index k = 0; k < d; ++k) {
        long double second = 0;
        for (Index i = 0; i < n; ++i)
          second += static_cast<long double>(data.w(i, j)) * data.w(i, k);
        EXPECT_NEAR(moments.second(j, k), static_cast<double>(second / n),
                    rounding * data.w.col(j).cwiseAbs().dot(data.w.col(k).cwiseAbs()) /
                        static_cast<double>(n));
      }
    }
    EXPECT_EQ(moments.second, moments.second.transpose());
  }
}

TEST(SampleMoments, CovarianceIsTheCentredSecondMoment) {
  const Disturbances data{testing::random_matrix(40, 5, 3).array() + 1.0};
  const Matrix covariance = sample_moments(data).covariance();
  const Vector mean = data.w.colwise().mean();
  Matrix expected = Matrix::Zero(5, 5);
  for (Index i = 0; i < data.n(); ++i) {
    const Vector centred = data.w.row(i).transpose() - mean;
    expected += centred * centred.transpose() / 40.0;
  }
  EXPECT_LT((covariance - expected).cwiseAbs().maxCoeff(), 1e-13);
}

TEST(SampleMoments, RefuseNothingAndSquaresThatOverflow) {
  EXPECT_TRUE(testing::contains(testing::input_error([] { sample_moments({Matrix(0, 3)}); }),
                                "found 0, expected at least 1"));
  EXPECT_TRUE(testing::contains(
      testing::input_error([] { sample_moments({Matrix::Constant(2, 3, -1e200)}); }), "1e+200"));
}

TEST(MomentMatrix, IsTheSecondMomentOfTheExtendedRows) {
  const Disturbances data{testing::random_matrix(30, 6, 5).array() - 0.5};
  for (const bool constant : {false, true}) {
    const Matrix rows = extended_rows(data, constant);
    ASSERT_EQ(rows.cols(), constant ? 7 : 6);
    EXPECT_TRUE(!constant || (rows.col(0).array() == 1.0).all());
    EXPECT_EQ(rows.rightCols(6), data.w);
    const Matrix expected = rows.transpose() * rows / 30.0;
    const Matrix found = moment_matrix(sample_moments(data), constant);
    ASSERT_EQ(found.rows(), expected.rows());
    EXPECT_LT((found - expected).cwiseAbs().maxCoeff(), 1e-13);
  }
}

}  // namespace
}  // namespace loopcert
