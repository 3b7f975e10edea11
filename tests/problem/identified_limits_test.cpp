// [limits] of plants that are identified, over a number of steps and for ever.
#include <gtest/gtest.h>

#include "input_error.hpp"
#include "problem/problem_json.hpp"

namespace loopcert::testing {
namespace {

nlohmann::json limited(const nlohmann::json& horizon, nlohmann::json limits) {
  return {{"horizon", horizon},
          {"system", {{"identify", true}, {"states", 2}, {"inputs", 1}}},
          {"cost", {{"Q", {1, 1}}, {"R", {1}}}},
          {"limits", std::move(limits)}};
}

TEST(IdentifiedLimitsSection, ForEverARowHasNoSteps) {
  const Problem problem = problem_from_json(limited(
      "infinite",
      {{"u", {-1, 1}}, {"x", {-2, 3}}, {"rows", {{{"x", {1, 0}}, {"u", {1}}, {"max", 4}}}}}));
  const Limits& limits = problem.limits.value();
  EXPECT_TRUE(limits.each);  // of a step: nothing else has a meaning
  EXPECT_EQ(limits.probability, 0.05);
  EXPECT_EQ(limits.count(), 4);
  for (const LimitAt& at : limits_at_steps(limits)) EXPECT_EQ(at.t, 0);
  const nlohmann::json tree = problem_to_json(problem);
  EXPECT_FALSE(tree["limits"]["rows"][0].contains("steps"));
  EXPECT_FALSE(tree["limits"].contains("delta"));
  EXPECT_EQ(problem_hash(problem_from_json(tree)), problem_hash(problem));
}

TEST(IdentifiedLimitsSection, RoundTripsOverSteps) {
  const Problem problem = problem_from_json(limited(4, {{"u", {-1, 1}}, {"probability", 0.1}}));
  EXPECT_EQ(problem.limits->count(), 4);
  EXPECT_FALSE(problem.limits->each);
  const nlohmann::json tree = problem_to_json(problem);
  EXPECT_FALSE(tree["limits"].contains("delta"));
  EXPECT_EQ(problem_hash(problem_from_json(tree)), problem_hash(problem));
}

TEST(IdentifiedLimitsSection, RefusesWhatItCannotPromise) {
  const auto refuses = [](const nlohmann::json& horizon, const nlohmann::json& limits,
                          const std::string& says) {
    EXPECT_TRUE(contains(input_error([&] { problem_from_json(limited(horizon, limits)); }), says));
  };
  refuses("infinite", {{"u", {-1, 1}}, {"probability", 0.1}}, "limits.each");
  refuses("infinite", {{"rows", {{{"u", {1}}, {"max", 1}, {"steps", {0, 1}}}}}}, "steps");
  refuses(4, {{"u", {-1, 1}}, {"delta", 0.1}}, "certificate.delta");
  refuses(4, {{"u", {-1, 1}}, {"robust", true}, {"box", 1}}, "limits.robust");
  refuses(4, {{"u", {-1, 1}}, {"kind", "limits-count"}}, "limits-envelope");
}

}  // namespace
}  // namespace loopcert::testing
