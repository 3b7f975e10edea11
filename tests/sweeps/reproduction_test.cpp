#include "sweeps/reproduction.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "chance.hpp"
#include "loopcert/core/random.hpp"
#include "seed.hpp"

namespace loopcert::testing {
namespace {

double deviation(const Vector& values) {
  return std::sqrt((values.array() - values.mean()).square().sum() /
                   static_cast<double>(values.size() - 1));
}

// Two samples of one normal law: 5 % of the pairs differ, however many seeds ours has. The scale is
// far above the paper's two digits and below 1000, where they are three.
TEST(SpreadDiffers, ForOnePairInTwentyOfTheSameLaw) {
  for (const Index seeds : {3, 20}) {
    const Index pairs = 4000;
    const Stream stream = test_stream(1, static_cast<std::uint64_t>(seeds));
    const Matrix ours = 100 * standard_normal_rows(stream, 0, pairs, seeds);
    const Matrix theirs = 100 * standard_normal_rows(stream, 10000, pairs, 20);
    Index differ = 0;
    for (Index i = 0; i < pairs; ++i)
      differ += spread_differs(deviation(ours.row(i)), seeds, deviation(theirs.row(i)));
    EXPECT_LE(differ, most_of(pairs, 0.05));
    EXPECT_GE(differ, least_of(pairs, 0.049));
  }
}

TEST(SpreadDiffers, GivesThePaperTheBenefitOfItsDigits) {
  EXPECT_TRUE(spread_differs(0.030, 20, 0.01));  // 0.015 times 1.59 is 0.0238
  EXPECT_FALSE(spread_differs(0.023, 20, 0.01));
  EXPECT_TRUE(spread_differs(0.009, 20, 0.02));  // 0.015 over 1.59 is 0.0094
  EXPECT_FALSE(spread_differs(0.010, 20, 0.02));
  EXPECT_FALSE(spread_differs(0.006, 20, 0.00));
  EXPECT_FALSE(spread_differs(0.000, 20, 0.00));
  EXPECT_FALSE(spread_differs(1.64e6, 20, 1.03e6));  // 1.035e6 times 1.59 is 1.645e6
  EXPECT_TRUE(spread_differs(1.65e6, 20, 1.03e6));
  EXPECT_FALSE(spread_differs(0, 1, 0.5));
}

}  // namespace
}  // namespace loopcert::testing
