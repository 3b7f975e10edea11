// [data]: every key, and combinations that do not fit.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "example.hpp"
#include "input_error.hpp"
#include "loopcert/problem/problem.hpp"
#include "problem/problem_json.hpp"
#include "problem/tree_file.hpp"

namespace loopcert {
namespace {

using Json = nlohmann::json;
using testing::contains;
using testing::input_error;

Json with_data(const Json& data) {
  Json tree = tree_from_toml(testing::small_problem);
  tree["data"] = data;
  return tree;
}

std::string error_of(const Json& data) {
  return input_error([&] { problem_from_json(with_data(data)); });
}

TEST(DataSection, ReadsBackAsItWasWritten) {
  const Json wide = {{"states", {"pos [m]", {{"column", "vel"}, {"factor", 0.001}}}},
                     {"inputs", {{{"column", "force [N]"}, {"zero", 4.5}}}},
                     {"disturbances", {"gust", "push"}},
                     {"pattern", "t{step}.{name}"},
                     {"axes", {"component", "step", "episode"}},
                     {"variables", {{"x", "X"}, {"u", "U"}, {"w", "W"}}},
                     {"last_input", true},
                     {"longer", "windows"},
                     {"gap", 2},
                     {"repeated", "keep"}};
  const Json by_time = {{"layout", "long"}, {"episode", "run"}, {"time", "t [s]"}, {"period", 0.5}};
  const Json by_step = {{"layout", "long"}, {"step", "k"}, {"longer", "first"}};
  const Json one_episode = {{"axes", {"step", "component"}}};
  for (const Json& data : {wide, by_time, by_step, one_episode})
    EXPECT_EQ(problem_to_json(problem_from_json(with_data(data)))["data"], data);
}

// What says nothing new leaves the problem, and its hash, as it was.
TEST(DataSection, OfDefaultsIsNotWritten) {
  const Json usual = {{"layout", "wide"},     {"pattern", "{name}_{step}"},
                      {"last_input", false},  {"longer", "refuse"},
                      {"repeated", "refuse"}, {"variables", {{"x", "x"}, {"u", "u"}, {"w", "w"}}}};
  EXPECT_FALSE(problem_to_json(problem_from_json(with_data(usual))).contains("data"));
}

TEST(DataSection, NamesWhatDoesNotFit) {
  const std::vector<std::pair<Json, std::string>> cases = {
      {{{"states", {"a", "b\xe2\x80\xae"}}}, "data.states[1]: found"},  // turns the text around
      {{{"states", {"a", "b\x7f"}}}, "data.states[1]: found the text 'b?'"},
      {{{"states", {"a", {{"factor", 2}}}}}, "data.states[1].column: found nothing"},
      {{{"layout", "long"}, {"step", "k"}, {"time", "t"}}, "data: step and time are both given"},
      {{{"layout", "long"}, {"time", "t"}}, "data: time requires period"},
      {{{"layout", "long"}, {"step", "k"}, {"period", 1}}, "data: period requires time"},
      {{{"pattern", "{step}"}}, "data.pattern: found"},
      {{{"longer", "first"}, {"gap", 1}}, "data.gap: only data.longer = \"windows\" has a gap"},
  };
  for (const auto& [data, message] : cases) EXPECT_TRUE(contains(error_of(data), message)) << data;
}

TEST(DataSection, TakesColumnsWithoutAUnitAsTheyStand) {
  for (const char* name : {"[m]", " [m]", "pos]", "a [m] b"}) {
    const Json data = {{"inputs", {name}}};
    const Problem problem = problem_from_json(with_data(data));
    EXPECT_EQ(problem.data.inputs.at(0).name, name);
    EXPECT_EQ(problem.data.inputs.at(0).unit, "");
  }
}

TEST(Toml, MayEndWithAString) {
  for (const std::string quotes : {"'", "\"", "'''", "\"\"\""})
    EXPECT_EQ(tree_from_toml("a = " + quotes + "x" + quotes)["a"], "x") << quotes;
}

// Few brackets and few dots in one key, but many of both in all.
TEST(Nesting, OfTablesInTablesIsLimitedToo) {
  std::string dots;
  for (int i = 0; i < 20; ++i) dots += "a.";
  EXPECT_TRUE(contains(input_error([&] { tree_from_toml("[" + dots + "a]\n" + dots + "b = 1\n"); }),
                       "nested deeper than 32 levels"));
}

}  // namespace
}  // namespace loopcert
