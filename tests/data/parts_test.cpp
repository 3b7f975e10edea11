#include "data/parts.hpp"

#include <gtest/gtest.h>

#include <set>
#include <type_traits>

#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

// Trajectories that carry their number.
Disturbances numbered(Index n) {
  Disturbances data{Matrix(n, 2)};
  for (Index i = 0; i < n; ++i) data.w.row(i).setConstant(static_cast<double>(i));
  return data;
}

std::set<double> numbers(const Disturbances& data) {
  return {data.w.col(0).begin(), data.w.col(0).end()};
}

// Handing certifying data to what learns must not compile.
static_assert(!std::is_convertible_v<CertifyingPart, LearningPart>);
static_assert(!std::is_convertible_v<LearningPart, CertifyingPart>);
static_assert(!std::is_constructible_v<LearningPart, CertifyingPart>);

TEST(Parts, EveryTrajectoryIsInExactlyOne) {
  for (const Index n : {2, 5, 17})
    for (const double fraction : {0.5, 0.3, 0.8}) {
      if (n == 2 && fraction == 0.3) continue;  // nothing to learn from
      const Split split = split_first(numbered(n), fraction);
      EXPECT_EQ(split.learning.data.n() + split.certifying.data.n(), n);
      EXPECT_EQ(split.learning.data.n(), static_cast<Index>(fraction * static_cast<double>(n)));
      std::set<double> all = numbers(split.learning.data);
      all.merge(numbers(split.certifying.data));
      EXPECT_EQ(static_cast<Index>(all.size()), n);
    }
}

TEST(Parts, FoldsCertifyEveryTrajectoryOnce) {
  for (const Index folds : {2, 3, 5}) {
    const Disturbances data = numbered(17);
    std::multiset<double> certified;
    for (const Split& split : split_folds(data, folds)) {
      const std::set<double> inside = numbers(split.certifying.data);
      certified.insert(inside.begin(), inside.end());
      for (const double seen : numbers(split.learning.data)) EXPECT_FALSE(inside.contains(seen));
      EXPECT_EQ(split.learning.data.n() + split.certifying.data.n(), 17);
    }
    EXPECT_EQ(certified.size(), 17U);
    EXPECT_EQ(std::set<double>(certified.begin(), certified.end()).size(), 17U);
  }
}

TEST(Parts, RefusesEmptyParts) {
  EXPECT_THROW(split_first(numbered(1), 0.5), InputError);
  EXPECT_THROW(split_first(numbered(3), 0.2), InputError);
  EXPECT_THROW(split_folds(numbered(3), 2), InputError);
}

}  // namespace
}  // namespace loopcert
