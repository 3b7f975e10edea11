// Tiled products against Eigen's, for sizes on both sides of every tile, block and strip.
#include "core/product.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "core/parts.hpp"

namespace loopcert {
namespace {

// Numbers without a pattern.
Matrix filled(Index rows, Index columns, double shift) {
  return Matrix::NullaryExpr(rows, columns, [=](Index i, Index j) {
    return std::sin(shift + 3.7 * static_cast<double>(i) + 1.3 * static_cast<double>(j));
  });
}

Matrix oriented(const Matrix& A, bool transposed) { return transposed ? A.transpose() : A; }

double distance(const Matrix& A, const Matrix& B) { return (A - B).norm() / (1 + B.norm()); }

TEST(Product, IsEigensProduct) {
  Team team(2);
  for (const Index m : {1, 7, 8, 23, 24, 25, 49, 200})
    for (const Index n : {1, 7, 8, 9, 64, 65, 131})
      for (const Index k : {1, 5, 255, 256, 257, 600})
        for (const bool at : {false, true})
          for (const bool bt : {false, true}) {
            const Matrix A = filled(at ? k : m, at ? m : k, 1),
                         B = filled(bt ? n : k, bt ? k : n, 2);
            const Matrix expected = oriented(A, at) * oriented(B, bt);
            Matrix C;
            product({A, at}, {B, bt}, C, false, {}, team);
            ASSERT_LT(distance(C, expected), 1e-14) << m << ' ' << n << ' ' << k;
            product({A, at}, {B, bt}, C, true, {}, team);
            ASSERT_LT(distance(C, 2 * expected), 1e-14) << m << ' ' << n << ' ' << k;
          }
}

// Columns 4 KiB apart take another way through B.
TEST(Product, IsEigensProductForColumnsThatMeetInTheCache) {
  Team team(1);
  const Matrix A = filled(40, 512, 1), B = filled(512, 70, 2);
  Matrix C;
  multiply(A, B, C, team);
  EXPECT_LT(distance(C, A * B), 1e-14);
}

// Every staircase that rows and columns can make: begins and ends that grow, shrink, or meet.
TEST(Product, LeavesOutWhatItsRuleSays) {
  Team team(2);
  const Index m = 75, n = 41, k = 560;
  for (const int kind : {0, 1, 2, 3})
    for (const bool add : {false, true}) {
      Matrix A = filled(m, k, 1), B = filled(k, n, 2);
      const auto row_end = [&](Index i) { return kind == 0 ? 7 * i : kind == 1 ? k - 7 * i : k; };
      const auto column_begin = [&](Index j) { return kind == 2 ? 13 * j : 0; };
      for (Index i = 0; i < m; ++i) A.row(i).tail(k - row_end(i)).setZero();
      for (Index j = 0; j < n; ++j) B.col(j).head(column_begin(j)).setZero();
      TileRule rule;
      rule.by_rows = [&](const Range& r) {
        return Range{0, std::max(row_end(r.begin), row_end(r.end - 1))};
      };
      rule.by_columns = [&](const Range& r) { return Range{column_begin(r.begin), k}; };
      if (kind == 3)
        rule.first_row = [](const Range& r) { return std::min<Index>(2 * r.begin, 75); };
      Matrix C = filled(m, n, 3);
      Matrix expected = add ? Matrix(C + A * B) : Matrix(A * B);
      tiled_product(k, {A.data(), 1, m}, {B.data(), 1, k}, C, add, rule, team);
      for (Index j = 0; kind == 3 && j < n; ++j) {  // where nobody reads
        C.col(j).head(std::min<Index>(2 * j, m)).setZero();
        expected.col(j).head(std::min<Index>(2 * j, m)).setZero();
      }
      EXPECT_LT(distance(C, expected), 1e-14) << kind << add;
    }
}

TEST(Product, IsZeroWhereItsRuleLeavesNothing) {
  Team team(1);
  const Matrix A = filled(30, 40, 1), B = filled(40, 20, 2);
  Matrix C = filled(30, 20, 3);
  TileRule rule;
  rule.by_rows = [](const Range&) { return Range{50, 60}; };  // beyond the last step
  tiled_product(40, {A.data(), 1, 30}, {B.data(), 1, 40}, C, false, rule, team);
  EXPECT_TRUE(C.isZero(0.0));
}

TEST(Product, HasTheSameBitsForAnyNumberOfThreads) {
  const Matrix A = filled(301, 257, 1), B = filled(257, 523, 2);
  Team one(1), two(2), four(4);
  Matrix C1, C2, C4;
  multiply(A, B, C1, one);
  multiply(A, B, C2, two);
  multiply(A, B, C4, four);
  EXPECT_TRUE(C1 == C2);
  EXPECT_TRUE(C1 == C4);
}

TEST(Product, OfNothingIsZero) {
  Team team(1);
  Matrix C;
  multiply(Matrix(3, 0), Matrix(0, 4), C, team);
  EXPECT_EQ(C, Matrix::Zero(3, 4));
  // In tiles too, which product() does not choose for it.
  C = Matrix::Ones(3, 4);
  tiled_product(0, {}, {}, C, true, {}, team);
  EXPECT_EQ(C, Matrix::Ones(3, 4));
  tiled_product(0, {}, {}, C, false, {}, team);
  EXPECT_EQ(C, Matrix::Zero(3, 4));
  for (const auto& [m, n] : {std::pair<Index, Index>{0, 4}, {3, 0}}) {
    C.resize(m, n);
    tiled_product(5, {}, {}, C, false, {}, team);
    EXPECT_EQ(C.size(), 0);
  }
}

TEST(Team, CallsEveryJobOnceAgainAndAgain) {
  Team team(4);
  for (int round = 0; round < 2000; ++round) {
    std::vector<int> calls(static_cast<size_t>(round % 9));
    team.for_each(static_cast<Index>(calls.size()),
                  [&](Index i) { ++calls[static_cast<size_t>(i)]; });
    for (const int count : calls) ASSERT_EQ(count, 1);
  }
}

TEST(Team, RethrowsTheSmallestFailureAndGoesOn) {
  Team team(3);
  for (int round = 0; round < 50; ++round) {
    try {
      team.for_each(20, [](Index i) {
        if (i >= 5) throw std::runtime_error(std::to_string(i));
      });
      FAIL();
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "5");
    }
    Index sum = 0;
    team.for_each(1, [&](Index) { sum = 7; });
    EXPECT_EQ(sum, 7);
  }
}

TEST(Parts, CoverEveryColumnAndAddUpInOneOrder) {
  const Matrix A = filled(123, 457, 1);
  std::vector<double> sums;
  for (const int threads : {1, 2, 4}) {
    Team team(threads);
    sums.push_back(sum_parts(team, by_columns(A),
                             [&](const Part& columns) { return entries(A, columns).sum(); }));
  }
  EXPECT_NEAR(sums[0], A.sum(), 1e-12 * A.cwiseAbs().sum());
  EXPECT_EQ(sums[0], sums[1]);
  EXPECT_EQ(sums[0], sums[2]);
}

TEST(Parts, OfVectorsAddUpInOneOrder) {
  const Vector x = filled(100'003, 1, 1), y = filled(100'003, 1, 2);
  Team one(1), four(4);
  const auto dot = [&](Team& team) {
    return sum_parts(team, by_length(x.size()),
                     [&](const Part& part) { return part(x).dot(part(y)); });
  };
  EXPECT_NEAR(dot(one), x.dot(y), 1e-12 * x.cwiseAbs().dot(y.cwiseAbs()));
  EXPECT_EQ(dot(one), dot(four));
}

}  // namespace
}  // namespace loopcert
