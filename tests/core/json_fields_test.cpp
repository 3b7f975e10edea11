#include "core/json_fields.hpp"

#include <gtest/gtest.h>

#include "input_error.hpp"

namespace loopcert {
namespace {

using nlohmann::json;
using testing::input_error;

TEST(JsonFields, ListsOfNumbersNameTheEntry) {
  EXPECT_EQ(numbers_in({1, 2.5}, "a"), (std::vector<double>{1, 2.5}));
  EXPECT_EQ(whole_numbers_in({1, -2}, "a"), (std::vector<int>{1, -2}));
  EXPECT_EQ(input_error([] { numbers_in("x", "a"); }),
            "a: found string, expected a list of numbers");
  EXPECT_EQ(input_error([] { numbers_in({1, "x"}, "a"); }), "a[1]: found \"x\", expected a number");
  EXPECT_EQ(input_error([] { whole_numbers_in({1.5}, "a"); }),
            "a[0]: found 1.5, expected a number");
}

TEST(JsonFields, WhatMayBeMissingIsNothing) {
  const json tree = {{"text", "x"}, {"number", 2}, {"negative", -1}, {"huge", 1e300}};
  EXPECT_EQ(text_at(tree, "text"), "x");
  EXPECT_EQ(number_at(tree, "number"), 2.0);
  EXPECT_EQ(count_at(tree, "number"), 2);
  for (const char* key : {"none", "number"}) EXPECT_FALSE(has_text(tree, key)) << key;
  for (const char* key : {"none", "text"}) EXPECT_EQ(number_at(tree, key), std::nullopt) << key;
  for (const char* key : {"none", "text", "negative", "huge"}) EXPECT_EQ(count_at(tree, key), 0);
  for (const json& other : {json(), json(1), json::array({"text"})}) {
    EXPECT_EQ(text_at(other, "text"), "");
    EXPECT_EQ(number_at(other, "number"), std::nullopt);
  }
}

}  // namespace
}  // namespace loopcert
