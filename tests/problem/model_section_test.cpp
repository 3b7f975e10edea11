// [system] identify: read, written, read again.
#include <gtest/gtest.h>

#include "input_error.hpp"
#include "loopcert/core/error.hpp"
#include "problem/problem_json.hpp"

namespace loopcert::testing {
namespace {

nlohmann::json tree_of(const nlohmann::json& horizon, const nlohmann::json& system) {
  return {{"horizon", horizon}, {"system", system}, {"cost", {{"Q", {1, 1}}, {"R", {1}}}}};
}

const nlohmann::json A = {{1, 1}, {0, 1}}, B = {{0.5}, {1}};

TEST(ModelSection, ReadsBackAsTheSameProblem) {
  const std::vector<nlohmann::json> trees = {
      tree_of(5, {{"identify", true}, {"states", 2}, {"inputs", 1}}),
      tree_of(5, {{"identify", {2}}, {"A", A}, {"B", B}, {"d", {0.1, 0}}}),
      tree_of(5, {{"identify", true}, {"A", A}, {"B", B}, {"d", {0.1, 0}}, {"offset", true}}),
      tree_of("infinite",
              {{"identify", true}, {"states", 2}, {"inputs", 1}, {"lags", 3}, {"offset", true}})};
  for (const nlohmann::json& tree : trees) {
    const Problem problem = problem_from_json(tree);
    ASSERT_TRUE(problem.identifies());
    const nlohmann::json written = problem_to_json(problem);
    const Problem again = problem_from_json(written);
    EXPECT_EQ(again.model, problem.model);
    EXPECT_EQ(problem_to_json(again), written);
    EXPECT_EQ(problem_hash(again), problem_hash(problem));
    EXPECT_EQ(written["horizon"], tree["horizon"]);
    EXPECT_EQ(written["system"]["identify"], tree["system"]["identify"]);
    EXPECT_EQ(written["learning"]["method"], "auto");
  }
}

// Nothing is written that an older program would not have written.
TEST(ModelSection, AKnownPlantIsWrittenAsBefore) {
  const nlohmann::json plain = tree_of(5, {{"A", A}, {"B", B}});
  nlohmann::json said = plain;
  said["system"]["identify"] = false;
  EXPECT_EQ(problem_hash(problem_from_json(said)), problem_hash(problem_from_json(plain)));
  const nlohmann::json system = problem_to_json(problem_from_json(plain))["system"];
  EXPECT_EQ(system.size(), 2u);
}

TEST(ModelSection, APlantThatNobodyKnowsGivesNoNumbers) {
  const Problem problem =
      problem_from_json(tree_of(5, {{"identify", true}, {"states", 2}, {"inputs", 1}}));
  EXPECT_EQ(problem.sizes(), state_feedback(2, 1, 5));
  EXPECT_TRUE(problem.system.plant.A[0].array().isNaN().all());
  EXPECT_TRUE(contains(input_error([&] { require_known_plant(problem, "this"); }), "this needs"));
  EXPECT_TRUE(contains(input_error([&] { require_stated_plant(problem, "this"); }), "A and B"));
}

TEST(ModelSection, RefusesWhatDoesNotGoTogether) {
  const std::vector<std::pair<std::string, nlohmann::json>> cases = {
      {"system.lags", {{"A", A}, {"B", B}, {"lags", 2}}},
      {"system.offset", {{"A", A}, {"B", B}, {"offset", true}}},
      {"system.identify[1]", {{"A", A}, {"B", B}, {"identify", {1, 1}}}},
      {"offset = true", {{"A", A}, {"B", B}, {"identify", {1}}, {"d", {0.1, 0}}}},
      {"system.states", {{"identify", true}, {"states", 0}, {"inputs", 1}}},
      {"system.d", {{"identify", true}, {"states", 2}, {"inputs", 1}, {"d", {1, 1}}}}};
  for (const auto& [says, system] : cases)
    EXPECT_TRUE(contains(input_error([&] { problem_from_json(tree_of(5, system)); }), says));
}

}  // namespace
}  // namespace loopcert::testing
