#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "example.hpp"
#include "input_error.hpp"
#include "loopcert/problem/problem.hpp"
#include "problem/problem_json.hpp"
#include "problem/tree_file.hpp"

namespace loopcert {
namespace {

using testing::contains;
using testing::full_problem;
using testing::input_error;
using Json = nlohmann::json;

Problem full() { return problem_from_json(tree_from_toml(full_problem)); }

TEST(ReplaceOptions, GivesWhatTheChangedFileWouldGive) {
  Json tree = problem_to_json(full());
  tree["name"] = "other";
  tree["response"]["affine"] = true;
  tree["disturbance"]["scale_bound"] = 7.5;
  tree["learning"]["method"] = "auto";
  tree["learning"]["prior"]["scale"] = "grid";
  tree["certificate"]["delta"] = 0.01;
  const Problem replaced =
      replace_options(full(), {{"name", "other"},
                               {"response", {{"affine", true}}},
                               {"disturbance", {{"scale_bound", 7.5}}},
                               {"learning", {{"method", "auto"}, {"prior", {{"scale", "grid"}}}}},
                               {"certificate", {{"delta", 0.01}}}});
  EXPECT_EQ(problem_to_json(replaced), tree);
}

TEST(ReplaceOptions, NothingChangesNothing) {
  EXPECT_EQ(problem_to_json(replace_options(full(), Json::object())), problem_to_json(full()));
}

TEST(ReplaceOptions, NullTakesTheDefault) {
  const Problem replaced = replace_options(
      full(), {{"disturbance", {{"scale_bound", nullptr}, {"covariance", nullptr}}}});
  EXPECT_FALSE(replaced.disturbance.scale_bound);
  EXPECT_FALSE(replaced.disturbance.law);
}

TEST(ReplaceOptions, ReplacesTheLawInParts) {
  const auto law = [](const Json& patch) {
    return *replace_options(full(), {{"disturbance", patch}}).disturbance.law;
  };
  const Law before = *full().disturbance.law;
  EXPECT_EQ(law({{"mean", 0.5}}).covariance, before.covariance);
  EXPECT_EQ(law({{"mean", 0.5}}).mean, Vector::Constant(before.mean.size(), 0.5));
  EXPECT_EQ(law({{"distribution", "uniform"}}).shape, LawShape::uniform);
  EXPECT_EQ(law({{"covariance", 3.0}}).covariance(0, 0), 3.0);
  EXPECT_EQ(law({{"covariance", 3.0}}).mean, before.mean);
  EXPECT_EQ(law({{"white", true}}).covariance, before.covariance);
}

TEST(ReplaceOptions, ChecksLikeAFile) {
  const auto error = [](const Json& patch) {
    return input_error([&] { replace_options(full(), patch); });
  };
  EXPECT_TRUE(contains(error({{"disturbance", {{"scale_bound", -1}}}}), "disturbance.scale_bound"));
  EXPECT_TRUE(contains(error({{"learning", {{"methods", "lqr"}}}}), "learning.methods"));
  EXPECT_TRUE(contains(error({{"learning", {{"prior", 3}}}}), "learning.prior: found 3"));
  EXPECT_TRUE(contains(error({{"learning", 3}}), "learning: found 3, expected a table"));
  EXPECT_TRUE(contains(error({{"system", {{"A", 1}}}}), "system.A"));  // only what an episode has
  EXPECT_TRUE(contains(error({{"cost", {{"Q", 1}}}}), "cost.Q"));
  EXPECT_TRUE(contains(error(3), "expected a table"));
}

}  // namespace
}  // namespace loopcert
