#include "data/csv.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "input_error.hpp"

namespace loopcert {
namespace {

using testing::contains;
using testing::input_error;
using Numbers = std::vector<double>;

TEST(ParseCsv, ReadsNamesAndNumbers) {
  const std::string plain = "x0_0,w0_0\n1,-2.5\n3e2,.5\n";
  const std::vector<std::string> same = {
      plain,
      "x0_0,w0_0\r\n1,-2.5\r\n3e2,.5\r\n",         // CRLF
      "x0_0,w0_0\n1,-2.5\n3e2,.5\n\n\r\n",         // blank lines at the end
      "\xEF\xBB\xBFx0_0,w0_0\n1,-2.5\n3e2,.5\n",   // byte order mark
      "\"x0_0\",\"w0_0\"\n1,-2.5\n3e2,.5\n",       // quoted names
      " x0_0 ,\tw0_0\n +1 ,\t-2.5\n300.0, 5e-1\n"  // blanks, other texts of the same numbers
  };
  for (const std::string& text : same) {
    const Array array = parse_csv(text);
    EXPECT_EQ(array.shape, (std::vector<Index>{2, 2})) << text;
    EXPECT_EQ(array.values, (Numbers{1, -2.5, 300, 0.5})) << text;
    EXPECT_EQ(array.columns, (std::vector<std::string>{"x0_0", "w0_0"})) << text;
  }
  EXPECT_EQ(parse_csv("a,b,c\n").shape, (std::vector<Index>{0, 3}));
  EXPECT_EQ(parse_csv("a\n1\n2\n").shape, (std::vector<Index>{2, 1}));
  EXPECT_EQ(parse_csv("1,b\n1,2\n").columns[0], "1");  // not all of them numbers
  EXPECT_EQ(parse_csv("L\xc3\xa4nge\n1\n").columns[0], "L\xc3\xa4nge");
}

// As programs of other countries and habits write them.
TEST(ParseCsv, ReadsOtherSeparatorsAndDecimalCommas) {
  const std::vector<std::string> same = {
      "a;b [\xc2\xb0"
      "C]\n1;-2.5\n300;0.5\n",
      "a;b [\xc2\xb0"
      "C]\n1;-2,5\n3e2;,5\n",
      "\xEF\xBB\xBF"
      "a;b [\xc2\xb0"
      "C]\r\n1,0;-2,5\r\n300;5,0E-1\r\n",
      "a\tb [\xc2\xb0"
      "C]\n1\t-2.5\n300\t0.5\n",
      "a\tb [\xc2\xb0"
      "C]\n 1,0\t-2,5 \n300\t0,5\n",
      "\"a\";\"b [\xc2\xb0"
      "C]\"\n\"1\";\"-2,5\"\n300;0,5\n",
      "\"a\",\"b [\xc2\xb0"
      "C]\"\n\"1\",-2.5\n300,\"0.5\"\n",
  };
  for (const std::string& text : same) {
    const Array array = parse_csv(text);
    EXPECT_EQ(array.values, (Numbers{1, -2.5, 300, 0.5})) << text;
    EXPECT_EQ(array.columns, (std::vector<std::string>{"a",
                                                       "b [\xc2\xb0"
                                                       "C]"}))
        << text;
  }
  // What separates fields is text inside of quotes, and names may hold what separates others.
  EXPECT_EQ(parse_csv("\"a, b\",c\n1,2\n").columns[0], "a, b");
  EXPECT_EQ(parse_csv("a;b,c\n1,2\n").columns[0], "a;b");
  EXPECT_EQ(parse_csv("x,m;y,m\n1,5;2,5\n").values, (Numbers{1.5, 2.5}));
}

TEST(ParseCsv, ReadsTimestampsAsSeconds) {
  const auto times = [](const std::string& rows) {
    CsvChoice choice;
    choice.numbers = {0};
    choice.clock = true;
    return parse_csv_rows("t;x\n" + rows, choice).values;
  };
  EXPECT_EQ(times("2026-01-31T12:00:00.25Z;0\n2026-01-31T12:00:00.5Z;0\n"),
            (Numbers{43200.25, 43200.5}));
  EXPECT_EQ(times("2026-02-28 23:59:59;0\n2026-03-01 00:00:00;0\n"), (Numbers{86399, 86400}));
  EXPECT_EQ(times("2024-02-28T23:59:59;0\n2024-03-01T00:00:00;0\n"), (Numbers{86399, 172800}));
  EXPECT_EQ(times("2026-01-31T00:30:00,5+01:00;0\n2026-01-30T23:30:01,5Z;0\n"),
            (Numbers{-1799.5, -1798.5}));
  EXPECT_EQ(times("2026-01-31T12:00+0130;0\n2026-01-31T12:00-02;0\n"), (Numbers{37800, 50400}));
  EXPECT_EQ(times("0,1;0\n0,2;0\n"), (Numbers{0.1, 0.2}));
  for (const char* bad : {"2026-01-32T12:00:00", "2026-13-01T12:00:00", "2026-02-29T12:00:00",
                          "2026-01-31T24:00:00", "2026-01-31T12:60:00", "2026-01-31T12:00:60",
                          "2026-01-31T12:00:00.", "2026-01-31T12:00:00+1", "2026-01-31",
                          "31.01.2026 12:00:00", "12:00:00", "2026-01-31T12:00:00Zulu", "noon"})
    EXPECT_TRUE(contains(input_error([&] { times(std::string(bad) + ";0\n"); }),
                         "expected a number, or a time such as 2026-01-31T12:00:00.25"))
        << bad;
  EXPECT_TRUE(contains(input_error([&] { times("2026-01-31T12:00:00;0\n5;0\n"); }),
                       "row 3, column 1 (t): found '5', expected a time"));
  EXPECT_TRUE(contains(input_error([&] { times("5;0\n2026-01-31T12:00:00;0\n"); }),
                       "found '2026-01-31T12:00:00', expected a finite number"));
}

struct Bad {
  std::string text;
  std::string message;  // part of it
};

// Cut inside the last number, a table would still parse: as another number.
TEST(ParseCsv, RefusesATableThatDoesNotEnd) {
  EXPECT_EQ(
      input_error([] { parse_csv("a,b\n1,2\n3,45"); }),
      "row 3: the file is truncated: no line end after its last row (if it is complete, add one)");
  EXPECT_EQ(
      input_error([] { parse_csv("a,b\n1,2\n3,4\r"); }),
      "row 3: the file is truncated: no line end after its last row (if it is complete, add one)");
}

TEST(ParseCsv, RefusesWhatItWouldHaveToGuess) {
  const std::vector<Bad> cases = {
      {"", "row 1: found nothing, expected a header row"},
      {"\n\n", "row 1: found nothing"},
      {"\xEF\xBB\xBF", "row 1: found nothing"},
      {"1,2\n3,4\n", "row 1: found numbers in the header row, expected column names"},
      {"1.5\n", "row 1: found numbers in the header row"},
      {"nan,inf\n1,2\n", "row 1: found numbers in the header row"},
      {"a;b\n1,5;2.5\n", "row 2, column 2 (b): found '2.5', expected ',' in every number"},
      {"a;b\n1.5;2\n3;4,5\n", "row 3, column 2 (b): found '4,5', expected '.' in every number"},
      {"a;b\n1.234,5;2\n", "row 2, column 1 (a): found '1.234,5'"},
      {"a\tb\n1\n", "row 2: found 1 fields, expected 2"},
      {"a,b\n\"1,5\",2\n", "found '1,5', expected '.' in numbers where ',' separates them"},
      {"\xFF\xFE"
       "a",
       "row 1: the file is in UTF-16: save it as UTF-8"},
      {",a,b\n0,1,2\n", "row 1, column 1: found no name"},
      {"a,b,\n1,2\n", "row 1, column 3: found no name"},
      {"\na,b\n1,2\n", "row 1, column 1: found no name"},
      {"a,b\n1,2\n3\n", "row 3: found 1 fields, expected 2"},
      {"a,b\n1,2,3\n", "row 2: found 3 fields, expected 2"},
      {"a,b\n1,5,2,5\n", "row 2: found 4 fields (decimal commas?), expected 2"},
      {"a,b\n1,2,\n", "row 2: found 3 fields"},
      {"a,b\n1,2\n\n3,4\n", "row 3: the row is empty"},
      {"a,b\n1,2\n   \n", "row 3: found 1 fields"},
      {"a,b\n1,\n", "row 2, column 2 (b): found an empty field, expected a number"},
      {"a,b\n  ,1\n", "row 2, column 1 (a): found an empty field"},
      {"a,b\n1,nan\n", "row 2, column 2 (b): found 'nan', expected a finite number"},
      {"a,b\n1,2\n-inf,2\n", "row 3, column 1 (a): found '-inf'"},
      {"a,b\n1,NA\n", "row 2, column 2 (b): found 'NA'"},
      {"a,b\n1,1e999\n", "found '1e999'"},
      {"a,b\n1,1e-999\n", "found '1e-999'"},
      {"a,b\n1,0x10\n", "found '0x10'"},
      {"a,b\n1,2 3\n", "found '2 3'"},
      {"a,b\n1,1_000\n", "found '1_000'"},
      {"a,b\n1,++2\n", "found '++2'"},
      {"a,b\n1,+-2\n", "found '+-2'"},
      {"a,b\n1,1e\n", "found '1e'"},
      {"a,b\n1,-\n", "found '-'"},
      {"a,b\n1,2;3\n", "found '2;3', expected ',' between fields"},
      {"a,b\n# note,1\n", "found '# note'"},
      {std::string("a,b\n1,2\0\n", 9), "found '2\\x00'"},
      {"a,b\r1,2\r", "row 1, column 2: found 'b\\x0d1'"},  // old line ends
  };
  for (const Bad& bad : cases)
    EXPECT_TRUE(contains(input_error([&] { parse_csv(bad.text); }), bad.message)) << bad.text;
}

TEST(ParseCsv, KeepsMessagesShort) {
  const std::string field(100000, 'z');
  EXPECT_LT(input_error([&] { parse_csv("a,b\n1," + field); }).size(), 200u);
}

TEST(ParseCsv, SurvivesEveryTruncationAndEveryChangedByte) {
  const std::string text = "\xEF\xBB\xBFx0_0,w0_0\r\n1.25,-2e-3\r\n3,\"4\"\r\n";
  for (size_t length = 0; length <= text.size(); ++length)
    input_error([&] { parse_csv(text.substr(0, length)); });
  for (size_t at = 0; at < text.size(); ++at)
    for (int byte = 0; byte < 256; ++byte) {
      std::string changed = text;
      changed[at] = static_cast<char>(byte);
      input_error([&] {
        const Array array = parse_csv(changed);
        ASSERT_EQ(array.values.size(), static_cast<size_t>(array.shape[0] * array.shape[1]));
        for (const double value : array.values) ASSERT_TRUE(std::isfinite(value));
      });
    }
}

RC_GTEST_PROP(FormatCsv, ReadsBackToTheLastBit, ()) {
  const auto rows = *rc::gen::inRange<Index>(1, 6);
  const auto cols = *rc::gen::inRange<Index>(1, 6);
  Array array{{rows, cols}, {}, {}};
  for (Index i = 0; i < rows * cols; ++i) {
    const auto value = std::bit_cast<double>(*rc::gen::arbitrary<std::uint64_t>());
    array.values.push_back(std::isfinite(value) ? value : 0.1);
  }
  const Array back = parse_csv(format_csv(array));
  RC_ASSERT(back.shape == array.shape);
  for (size_t i = 0; i < array.values.size(); ++i)
    RC_ASSERT(std::bit_cast<std::uint64_t>(back.values[i]) ==
              std::bit_cast<std::uint64_t>(array.values[i]));
}

TEST(FormatCsv, WritesExtremesExactly) {
  using Limits = std::numeric_limits<double>;
  const Numbers values = {Limits::max(), Limits::min(), Limits::denorm_min(), -0.0, 0.1, 1e22};
  const Array array{{2, 3}, values, {"a", "b", "c"}};
  const std::string text = format_csv(array);
  EXPECT_TRUE(text.starts_with("a,b,c\n1.7976931348623157e+308,")) << text;
  const Array back = parse_csv(text);
  EXPECT_EQ(back.values, values);
  EXPECT_TRUE(std::signbit(back.values[3]));
}

TEST(FormatCsv, RefusesWhatCsvCannotHold) {
  EXPECT_TRUE(contains(input_error([] { format_csv({{4}, {1, 2, 3, 4}, {}}); }), "two axes"));
  EXPECT_TRUE(contains(input_error([] { format_csv({{1, 2}, {1, 2}, {"a"}}); }), "found 1 names"));
  EXPECT_TRUE(contains(input_error([] {
                         format_csv({{1, 2}, {1, 2}, {"a", "b,c"}});
                       }),
                       "found 'b,c'"));
  EXPECT_TRUE(contains(input_error([] { format_csv({{1, 1}, {1}, {""}}); }), "column 1: found ''"));
}

}  // namespace
}  // namespace loopcert
