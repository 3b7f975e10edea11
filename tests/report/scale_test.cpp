#include "report/scale.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace loopcert::report {
namespace {

Range range_of(std::initializer_list<double> values) {
  Range range;
  for (const double value : values) range.add(value);
  return range;
}

std::vector<std::string> labels(const Scale& scale) {
  std::vector<std::string> out;
  for (const Tick& tick : scale.ticks) out.push_back(tick.label);
  return out;
}

TEST(Scale, RoundTicks) {
  EXPECT_EQ(labels(linear_scale(range_of({0, 10}), true)),
            (std::vector<std::string>{"0", "5", "10"}));
  EXPECT_EQ(labels(linear_scale(range_of({-1, 1}))),
            (std::vector<std::string>{"−1", "−0.5", "0", "0.5", "1"}));
  EXPECT_EQ(labels(log_scale(range_of({1, 1e4}))),
            (std::vector<std::string>{"1", "10", "100", "1000", "10000"}));
}

TEST(Scale, ThreeTicksAtLeast) {
  for (const int count : {4, 5})
    for (double low = -3; low < 1; low += 0.037)
      for (double width = 0.1; width < 12; width *= 1.07) {
        const Scale scale = linear_scale(range_of({low, low + width}), false, count);
        ASSERT_GE(scale.ticks.size(), 3u) << low << ' ' << width;
        ASSERT_LE(scale.ticks.size(), 3u * static_cast<size_t>(count)) << low << ' ' << width;
        for (const Tick& tick : scale.ticks)
          ASSERT_TRUE(tick.value >= scale.low - 1e-9 && tick.value <= scale.high + 1e-9);
      }
}

TEST(Scale, LogTurnsFactorsIntoDistances) {
  Scale scale = log_scale(range_of({1, 100}));
  scale.start = 0;
  scale.end = 300;
  EXPECT_TRUE(scale.log);
  EXPECT_NEAR(scale.at(10) - scale.at(1), scale.at(100) - scale.at(10), 1e-9);
}

TEST(Scale, WhatCannotBeLogarithmicIsLinear) {
  EXPECT_FALSE(log_scale(range_of({0, 1000})).log);
  EXPECT_FALSE(automatic_scale(range_of({-1, 1000})).log);
  EXPECT_TRUE(automatic_scale(range_of({1, 1000})).log);
  EXPECT_FALSE(automatic_scale(range_of({3, 4})).log);
}

TEST(Scale, OddRangesStillHaveAPlaceForEverything) {
  for (const Range& range : {Range{}, range_of({0}), range_of({5}), range_of({-3, -3}),
                             range_of({std::nan(""), 1}), range_of({INFINITY})}) {
    const Scale scale = linear_scale(range);
    EXPECT_LT(scale.low, scale.high);
    EXPECT_TRUE(std::isfinite(scale.at(range.low)));
  }
}

TEST(Scale, HasAnEndAlsoWhereNumbersHaveNone) {
  for (const Range& range : {range_of({1, 1e300}), range_of({1e-300, 1}), range_of({1e300}),
                             range_of({-1e308, 1e308}), range_of({1e-300, 1e300})})
    for (const Scale& scale : {linear_scale(range), log_scale(range)}) {
      EXPECT_LT(scale.low, scale.high);
      for (const double value : {1e-300, 1.0, 1e300})
        EXPECT_TRUE(std::isfinite(scale.at(value))) << value;
    }
}

// Whatever the data: values lie inside, ticks rise, lie inside and are few enough to be read.
RC_GTEST_PROP(Scale, HoldsForAllRanges, (int a, int b, int exponent)) {
  const double unit = std::pow(10, exponent % 12);
  const Range range = range_of({a * unit, b * unit});
  for (const Scale& scale : {linear_scale(range), log_scale(range), linear_scale(range, true)}) {
    RC_ASSERT(scale.low < scale.high);
    RC_ASSERT(scale.low <= range.low && range.high <= scale.high);
    RC_ASSERT(scale.ticks.size() >= 2 && scale.ticks.size() <= 9);
    for (size_t i = 0; i < scale.ticks.size(); ++i) {
      const double share = scale.at(scale.ticks[i].value);
      RC_ASSERT(share >= 0 && share <= 1);
      if (i > 0) RC_ASSERT(scale.ticks[i].value > scale.ticks[i - 1].value);
    }
  }
}

TEST(Scale, ANarrowLogAxisHasMoreThanOneTick) {
  EXPECT_GE(log_scale(range_of({15301, 22550})).ticks.size(), 2u);
}

TEST(Scale, ChosenTicksKeepTheirDistance) {
  Scale scale = log_scale(range_of({10, 400}));
  set_ticks(scale, {10, 11, 12, 100, 400}, 0.1);
  EXPECT_EQ(labels(scale), (std::vector<std::string>{"10", "100", "400"}));
}

}  // namespace
}  // namespace loopcert::report
