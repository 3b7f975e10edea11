// P = "riccati": resolved when it is read, so that records hold a matrix.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "input_error.hpp"
#include "loopcert/problem/problem.hpp"
#include "problem/problem_json.hpp"
#include "problem/tree_file.hpp"
#include "response/lqr.hpp"
#include "system/riccati.hpp"

namespace loopcert {
namespace {

using nlohmann::json;
using testing::contains;
using testing::input_error;

json tree() {
  return {{"horizon", 5},
          {"system", {{"A", {{1, 1}, {0, 1}}}, {"B", {{0.5}, {1}}}}},
          {"cost", {{"Q", {1, 0.1}}, {"R", {0.5}}, {"P", "riccati"}}}};
}

TEST(RiccatiWeight, MakesAllGainsAlike) {
  const Problem problem = problem_from_json(tree());
  const LqrGains gains = lqr_gains(problem.system);
  for (const Matrix& K : gains.K) EXPECT_LT((K - gains.K[0]).norm(), 1e-12);
  EXPECT_EQ(problem.system.cost.P, stationary_lqr(problem.system).S);
}

TEST(RiccatiWeight, IsAMatrixInRecords) {
  const Problem problem = problem_from_json(tree());
  const json written = problem_to_json(problem);
  EXPECT_TRUE(written["cost"]["P"].is_array());
  EXPECT_EQ(problem_to_json(problem_from_json(written)), written);
  EXPECT_EQ(problem_to_json(replace_options(problem, {{"name", "other"}}))["cost"],
            written["cost"]);
}

TEST(RiccatiWeight, IsTheSameInToml) {
  const json from_toml = tree_from_toml(R"(
horizon = 5
[system]
A = [[1, 1], [0, 1]]
B = [[0.5], [1]]
[cost]
Q = [1, 0.1]
R = [0.5]
P = "riccati"
)");
  EXPECT_EQ(problem_to_json(problem_from_json(from_toml)),
            problem_to_json(problem_from_json(tree())));
}

TEST(RiccatiWeight, NeedsAPlantThatDoesNotVary) {
  json varying = tree();
  varying["system"]["A"] = json::array();
  for (int t = 0; t < 5; ++t) varying["system"]["A"].push_back({{1, 1}, {0, 1}});
  EXPECT_TRUE(contains(input_error([&] { problem_from_json(varying); }),
                       "cost.P: \"riccati\" needs one A, B, Q and R for all steps"));
  json pushed = tree();  // an offset may vary: it does not enter
  pushed["system"]["d"] = {{0, 0}, {0, 1}, {0, 0}, {0, 0}, {0, 0}};
  EXPECT_EQ(problem_from_json(pushed).system.cost.P, problem_from_json(tree()).system.cost.P);
  json lost = tree();
  lost["system"]["B"] = {{0}, {0}};
  EXPECT_TRUE(contains(input_error([&] { problem_from_json(lost); }),
                       "cost.P: no stationary terminal weight exists"));
}

}  // namespace
}  // namespace loopcert
