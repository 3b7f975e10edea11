#include "sweeps/sweep_failures.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace loopcert {
namespace {

TEST(SweepFailures, CountReasonsWithoutTheirNumbers) {
  FailureCounts counts;
  counts.add("differs by 0.0012 of its size");
  counts.add("lost in rounding");
  counts.add("differs by 3.4e-05 of its size");
  counts.add("differs by 1e+10 of its size");
  const std::vector<FailureReason> reasons = counts.reasons();
  ASSERT_EQ(reasons.size(), 2U);
  EXPECT_EQ(reasons[0].message, "differs by 0.0012 of its size");
  EXPECT_EQ(reasons[0].count, 3);
  EXPECT_EQ(reasons[1].message, "lost in rounding");
  EXPECT_EQ(reasons[1].count, 1);
}

TEST(SweepFailures, ReadRecordsOfEarlierVersions) {
  using Json = nlohmann::json;
  EXPECT_EQ(failure_of({{"status", "done"}, {"warnings", {"a note"}}}), "");
  EXPECT_EQ(failure_of({{"status", "failed"}, {"failure", "why"}}), "why");
  EXPECT_EQ(failure_of({{"status", "failed"}, {"warnings", {"an old note"}}}), "an old note");
  EXPECT_EQ(failure_of({{"status", "failed"}}), "no reason recorded");
  EXPECT_EQ(failure_of(Json(3)), "");
}

}  // namespace
}  // namespace loopcert
