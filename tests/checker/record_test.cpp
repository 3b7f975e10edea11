// A record of format 2 is read in full or not at all.
#include <gtest/gtest.h>

#include <fstream>

#include "small_problem.hpp"

namespace verify::testing {
namespace {

Record read(const json& tree) {
  const std::string path = ::testing::TempDir() + "loopcert_record_test.json";
  std::ofstream(path) << tree.dump();
  return in_file(path, [&] { return read_record(path); });
}

// What is said of the small record with `value` at `place`; nothing when it is read.
std::string answer(const std::string& place, const json& value) {
  json tree = small_record();
  tree[json::json_pointer(place)] = value;
  try {
    read(tree);
    return "";
  } catch (const BadInput& error) {
    return error.text;
  }
}

TEST(Record, HoldsWhatTheFileSays) {
  json tree = small_record();
  tree["kind"] = "best";
  tree["chosen"] = tree["events"][0]["kind"] = "cross";
  tree["events"][0]["fold"] = 2;
  tree["events"][0]["choices"] = 3;
  const Record record = read(tree);
  EXPECT_EQ(record.chosen, "cross");
  EXPECT_EQ(record.functional.id, "cost");
  ASSERT_EQ(record.events.size(), 1);
  const Event& event = record.events[0];
  EXPECT_EQ(event.kind + "/" + event.id + "/" + event.statement.id, "cross/chernoff/chernoff");
  EXPECT_EQ(event.fold, 2);
  EXPECT_EQ(event.choices, 3);
  EXPECT_EQ(event.delta, 0.05);
  ASSERT_EQ(record.assumptions.size(), 1);
  EXPECT_EQ(record.assumptions[0].id, "scale-bound");
  EXPECT_EQ(record.assumptions[0].parameters, (std::map<std::string, double>{{"scale", 1}}));
  EXPECT_EQ(record.terms.at(0).id, "margin");
}

TEST(Record, OfFormatOneIsRefused) {
  const std::string said = answer("/format", "loopcert certificate 1");
  EXPECT_TRUE(
      said.ends_with("format: found 'loopcert certificate 1', expected \"loopcert "
                     "certificate 2\": learn or certify again with this version"))
      << said;
}

TEST(Record, HasNoUnknownKeys) {
  EXPECT_EQ(answer("/solver", "qp"), "");
  for (const char* place : {"/more", "/functional/more", "/terms/0/symbol", "/events/0/name",
                            "/events/0/statement/text", "/assumptions/0/words"})
    EXPECT_NE(answer(place, 1).find("the unknown key"), std::string::npos) << place;
}

TEST(Record, HasNumbersAndTextsWhereTheyBelong) {
  const std::vector<std::pair<const char*, json>> wrong = {
      {"/events/0/fold", 0},
      {"/events/0/fold", 1.0},
      {"/events/0/fold", "1"},
      {"/events/0/choices", 0},
      {"/events/0/choices", nullptr},
      {"/events/0/choices", 1.5},
      {"/events/0/kind", ""},
      {"/events/0/kind", 1},
      {"/events/0/statement", "chernoff"},
      {"/events/0/statement/parameters", json::array()},
      {"/assumptions/0/parameters/scale", "1"},
      {"/assumptions/0/parameters/scale", true},
      {"/assumptions/0/parameters/scale", nullptr},
      {"/assumptions", "none"},
      {"/events", json::object()},
      {"/terms/0/value", nullptr},
      {"/functional", "cost"},
      {"/subject", nullptr},
      {"/oracle", 0},
      {"/chosen", "cross"},
      {"/chosen", ""},
      {"/kind", "best"}};
  for (const auto& [place, value] : wrong) EXPECT_NE(answer(place, value), "") << place << value;
}

TEST(Record, DeltaIsThatOfTheFoldForOneChoice) {
  Record record;
  record.events = {{"chernoff", {"chernoff"}, 1, 0, "", 0.01},
                   {"chernoff", {"chernoff"}, 1, 2, "", 0.03}};
  EXPECT_EQ(record.delta("chernoff"), 0.01);
  record.fold = 2;
  EXPECT_EQ(record.delta("chernoff"), 0.03);
  record.choices = 3;
  const double one = record.delta("chernoff");
  EXPECT_NEAR(one, 0.01, 1e-17);
  EXPECT_LE(upper(3 * Ball(one) - Ball(0.03)), 0);  // together not more
  record.fold = 1;
  EXPECT_THROW(record.delta("chernoff"), Refuted);
}

}  // namespace
}  // namespace verify::testing
