// Text that a parser must not see, or must refuse.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/json.hpp"
#include "example.hpp"
#include "input_error.hpp"
#include "loopcert/core/random.hpp"
#include "loopcert/problem/problem.hpp"
#include "problem/problem_json.hpp"
#include "problem/tree_file.hpp"
#include "seed.hpp"
#include "temp_folder.hpp"

namespace loopcert {
namespace {

using testing::contains;
using testing::input_error;
using Json = nlohmann::json;

std::string repeated(const std::string& piece, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += piece;
  return text;
}

std::string toml_error(const std::string& text) {
  return input_error([&] { tree_from_toml(text); });
}
std::string json_error(const std::string& text) {
  return input_error([&] { parse_json(text); });
}

TEST(Toml, BecomesTheSameTreeAsJson) {
  const Json tree = tree_from_toml(
      "a = 1\r\nb = -2.5e-3\nc = [true, [\"x\\u00e9\", 'y']]\n[d.e]\nf = { g = \"\"\"1\n2\"\"\" "
      "}\n");
  EXPECT_EQ(tree, parse_json(R"({"a": 1, "b": -2.5e-3, "c": [true, ["xé", "y"]],
                                     "d": {"e": {"f": {"g": "1\n2"}}}})"));
  EXPECT_TRUE(tree["a"].is_number_integer());
  EXPECT_EQ(tree_from_toml("\xEF\xBB\xBF"
                           "a = 1"),
            tree_from_toml("a = 1"));  // byte order mark
  EXPECT_EQ(tree_from_toml(""), Json::object());
}

TEST(Toml, ReadsNumbersExactly) {
  for (const std::string text : {"0.1", "1e-308", "4.9e-324", "1.7976931348623157e308", "-0.0",
                                 "123456789.123456789", "9007199254740993.0", "2.5E+3"})
    EXPECT_EQ(tree_from_toml("a = " + text)["a"].get<double>(), std::strtod(text.c_str(), nullptr))
        << text;
}

TEST(Toml, AllowsAnyTextInComments) {
  EXPECT_EQ(tree_from_toml("# Kálmán \xff [[[[\na = 'x # y' # \"'é\nb = \"\\\"#\" # ü"),
            parse_json(R"({"a": "x # y", "b": "\"#"})"));
}

TEST(Toml, ReadsUtf8InQuotedTexts) {
  const std::string degrees =
                        "T [\xc2\xb0"
                        "C]",
                    smile = "\xf0\x9f\x99\x82";
  EXPECT_EQ(tree_from_toml("a = \"" + degrees + "\"")["a"], degrees);
  EXPECT_EQ(tree_from_toml("a = \"\"\"\n" + smile + "\"\"\"")["a"], smile);
  EXPECT_EQ(tree_from_toml("a = \"\\\\" + degrees + "\\t\"")["a"], "\\" + degrees + "\t");
  EXPECT_EQ(tree_from_toml("\"" + degrees + "\" = 1")[degrees], 1);
}

TEST(Toml, RefusesOtherBytesWithTheirLine) {
  EXPECT_TRUE(
      contains(toml_error("a = 1\nname = 'K\xc3\xa1lm\xc3\xa1n'\n"),
               "line 2: found byte 0xc3, expected ASCII outside of comments and \"quoted\""));
  EXPECT_TRUE(contains(toml_error("a = \"\xb0\""), "line 1: found byte 0xb0"));  // not UTF-8
  EXPECT_TRUE(contains(toml_error("a = \"\\\xc3\xa1\""), "line 1: found byte 0xc3"));
  EXPECT_TRUE(contains(toml_error("\xc3\xa1 = 1"), "line 1: found byte 0xc3"));
  EXPECT_TRUE(contains(toml_error("a = 1 # b\n\n\x80"), "line 3: found byte 0x80"));
  EXPECT_TRUE(contains(toml_error(std::string("a = 1\0", 6)), "line 1: found byte 0x00"));
  EXPECT_TRUE(contains(toml_error("# \x01"), "line 1: found byte 0x01, expected text without"));
  EXPECT_TRUE(contains(toml_error("a = 1\rb = 2"), "line 1: found byte 0x0d"));
  EXPECT_TRUE(contains(toml_error("a = \"\x7f\""), "line 1: found byte 0x7f"));
  EXPECT_TRUE(contains(toml_error("a\f= 1"), "line 1: found byte 0x0c"));
}

TEST(Toml, RefusesSyntaxErrorsWithTheirPlace) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"a = ", "line 1, column "},        {"a = 1\na = 2", "line 2, column "},
      {"[a]\n[a]", "line 2, column "},    {"a = 1 2", "line 1, column "},
      {"a = [1, 2", "line 1, column "},   {"a = \"x", "line 1, column "},
      {"a = 1__0", "line 1, column "},    {"a = 99999999999999999999", "line 1, column "},
      {"a = 1e999", "line 1, column "},   {"= 1", "line 1, column "},
      {"a = {b = 1", "line 1, column "},  {"a = .5", "line 1, column "},
      {"horizon: 10", "line 1, column "},
  };
  for (const auto& [text, place] : cases) {
    EXPECT_TRUE(contains(toml_error(text), place)) << text;
    EXPECT_TRUE(contains(toml_error(text), "not valid TOML")) << text;
  }
}

TEST(Json, RefusesSyntaxErrorsAndKeysGivenTwice) {
  for (const std::string text : {"", "{", "{\"a\": }", "{\"a\": 1,}", "[1, 2", "{'a': 1}", "nan",
                                 "{\"a\": NaN}", "{\"a\": 1e999}", "{\"a\": 01}", "{} x"})
    EXPECT_TRUE(contains(json_error(text), "not valid JSON")) << text;
  EXPECT_TRUE(contains(json_error("{\n\"a\": ]}"), "line 2, column 6"));
  EXPECT_TRUE(
      contains(json_error(R"({"a": 1, "b": {"a": 2}, "a": 3})"), "a: the key is given twice"));
  EXPECT_EQ(json_error(R"([{"a": 1, "b": {"a": 2}}, {"a": 3}])"), "");
}

TEST(Nesting, IsLimitedInBothFormats) {
  for (const int depth : {33, 200, 1000, 200000}) {
    for (const std::string& text :
         {"a = " + repeated("[", depth), "a = " + repeated("[", depth) + repeated("]", depth),
          "a = " + repeated("{ a = ", depth) + "1" + repeated("}", depth),
          repeated("a.", depth) + "a = 1", repeated("a . ", depth) + "a = 1",
          "[" + repeated("a.", depth) + "a]", "[[" + repeated("a.", depth) + "a]]",
          repeated("'a'.", depth) + "'a' = 1", "b = '''''''\n" + repeated("a.", depth) + "a = 1",
          "b = { " + repeated("a.", depth) + "a = 1 }",
          "c = \"\"\"x\"\"\"\" # y\n" + repeated("a.", depth) + "a = 1"})
      EXPECT_NE(toml_error(text), "") << depth << " " << text.substr(0, 20);
    for (const std::string& text :
         {repeated("[", depth), repeated("[", depth) + repeated("]", depth),
          repeated("{\"a\":", depth) + "1" + repeated("}", depth),
          "[\"]]\\\"]]\"," + repeated("[", depth) + repeated("]", depth) + "]"})
      EXPECT_TRUE(contains(json_error(text), "line 1: nested deeper than 32")) << depth;
  }
  // A string may end with up to five quotes: what follows it is not a string.
  for (const std::string quotes : {"\"\"\"", "\"\"\"\"", "\"\"\"\"\"", "''''"})
    EXPECT_TRUE(contains(toml_error("c = { b = " + quotes.substr(0, 3) + "x" + quotes + ", " +
                                    repeated("a.", 100) + "a = 1 }"),
                         "line 1: nested deeper than 32"))
        << quotes;
  // Brackets and dots inside strings and comments do not count, nor do many side by side.
  const std::string many = repeated("[.", 100);
  EXPECT_EQ(toml_error("a = '" + many + "' # " + many + "\nb = \"\\\"" + many + "\""), "");
  EXPECT_EQ(toml_error("a = [" + repeated("[1.5], ", 1000) + "]"), "");
  EXPECT_EQ(json_error("[\"" + many + "\\\"" + many + "\"]"), "");
  EXPECT_EQ(toml_error("a = " + repeated("[", 30) + repeated("]", 30)), "");
  EXPECT_EQ(json_error(repeated("[", 32) + repeated("]", 32)), "");
}

TEST(ReadTree, RefusesAHugeFileBeforeReadingIt) {
  const testing::TempFolder folder;
  const auto path = folder.write("p.toml", "a = 1");
  std::filesystem::resize_file(path, (std::uintmax_t{64} << 20) + 1);
  EXPECT_TRUE(contains(input_error([&] { read_tree(path); }), "found 67108865 bytes"));
}

template <class Parse>
void try_problem(const std::string& text, Parse parse) {
  input_error([&] { problem_from_json(parse(text)); });
}

TEST(ProblemFile, SurvivesEveryTruncation) {
  const std::string toml = testing::full_problem;
  for (size_t length = 0; length <= toml.size(); ++length)
    try_problem(toml.substr(0, length), tree_from_toml);
  const std::string json = tree_from_toml(toml).dump();
  for (size_t length = 0; length < json.size(); ++length)
    EXPECT_NE(json_error(json.substr(0, length)), "") << length;
}

// Bytes swapped for ones that mean something to a parser, pieces doubled and dropped.
TEST(ProblemFile, SurvivesRandomDamage) {
  const std::string alphabet = "[]{}=.,'\"\\#\n\r\t 09azTZ:-+_eExu\x80\xc3\x01";
  const std::string toml = testing::full_problem;
  const std::string json = tree_from_toml(toml).dump();
  for (std::uint64_t trial = 0; trial < 20000; ++trial) {
    const RandomBits bits = random_bits(testing::test_stream(99, 0), trial, 0);
    std::string text = trial % 2 == 0 ? toml : json;
    for (const int i : {0, 1, 2}) {
      const size_t at = bits.word[i] % text.size();
      const auto kind = (bits.word[i] >> 32) % 4;
      const char c = alphabet[(bits.word[i] >> 40) % alphabet.size()];
      if (kind == 0) text[at] = c;
      if (kind == 1) text.insert(at, 1, c);
      if (kind == 2) text.erase(at, 1 + (bits.word[i] >> 48) % 8);
      if (kind == 3) text.insert(at, text.substr(bits.word[3] % text.size(), 12));
    }
    if (trial % 2 == 0)
      try_problem(text, tree_from_toml);
    else
      try_problem(text, parse_json);
  }
}

}  // namespace
}  // namespace loopcert
