#include "data/npy.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "input_error.hpp"

namespace loopcert {
namespace {

using testing::contains;
using testing::input_error;
using Shape = std::vector<Index>;
using Numbers = std::vector<double>;

// A .npy file put together by hand.
std::string npy(const std::string& header, const std::string& data, int version = 1) {
  std::string bytes = "\x93NUMPY";
  bytes += static_cast<char>(version);
  bytes += '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i)
    bytes += static_cast<char>((header.size() >> (8 * i)) & 255);
  return bytes + header + data;
}

std::string dictionary(const std::string& descr, const std::string& order,
                       const std::string& shape) {
  return "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
}

template <class T>
std::string bytes_of(const std::vector<T>& values, bool swap = false) {
  std::string bytes;
  for (const T value : values) {
    std::string item(sizeof(T), '\0');
    std::memcpy(item.data(), &value, sizeof(T));
    if (swap) item = std::string(item.rbegin(), item.rend());
    bytes += item;
  }
  return bytes;
}

TEST(ParseNpy, ReadsEveryNumberType) {
  const auto expect = [](const std::string& descr, const std::string& data, const Numbers& values) {
    const Array array = parse_npy(npy(dictionary(descr, "False", "(3,)"), data));
    EXPECT_EQ(array.shape, Shape{3}) << descr;
    EXPECT_EQ(array.values, values) << descr;
  };
  const Numbers floats = {1.5, -2.25, 0};
  expect("<f8", bytes_of<double>({1.5, -2.25, 0}), floats);
  expect(">f8", bytes_of<double>({1.5, -2.25, 0}, true), floats);
  expect("<f4", bytes_of<float>({1.5, -2.25, 0}), floats);
  expect(">f4", bytes_of<float>({1.5, -2.25, 0}, true), floats);
  const Numbers integers = {1, -2, 100};
  expect("<i8", bytes_of<std::int64_t>({1, -2, 100}), integers);
  expect(">i8", bytes_of<std::int64_t>({1, -2, 100}, true), integers);
  expect("<i4", bytes_of<std::int32_t>({1, -2, 100}), integers);
  expect(">i4", bytes_of<std::int32_t>({1, -2, 100}, true), integers);
  expect("<i2", bytes_of<std::int16_t>({1, -2, 100}), integers);
  expect("|i1", bytes_of<std::int8_t>({1, -2, 100}), integers);
  const Numbers naturals = {1, 200, 3};
  expect("<u8", bytes_of<std::uint64_t>({1, 200, 3}), naturals);
  expect(">u4", bytes_of<std::uint32_t>({1, 200, 3}, true), naturals);
  expect("<u2", bytes_of<std::uint16_t>({1, 200, 3}), naturals);
  expect("|u1", bytes_of<std::uint8_t>({1, 200, 3}), naturals);
}

TEST(ParseNpy, HonoursOrderAndVersion) {
  const std::string data = bytes_of<double>({0, 1, 2, 3, 4, 5});
  for (const int version : {1, 2, 3}) {
    const Array c = parse_npy(npy(dictionary("<f8", "False", "(2, 3)"), data, version));
    EXPECT_EQ(c.shape, (Shape{2, 3}));
    EXPECT_EQ(c.values, (Numbers{0, 1, 2, 3, 4, 5}));
    const Array f = parse_npy(npy(dictionary("<f8", "True", "(2, 3)"), data, version));
    EXPECT_EQ(f.values, (Numbers{0, 2, 4, 1, 3, 5}));
  }
  // Three axes, first fastest: entry (i, j, k) holds i + 2 j + 6 k.
  Numbers fortran;
  for (int v = 0; v < 24; ++v) fortran.push_back(v);
  const Array array = parse_npy(npy(dictionary("<f8", "True", "(2, 3, 4)"), bytes_of(fortran)));
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 4; ++k)
        EXPECT_EQ(array.values[static_cast<size_t>((i * 3 + j) * 4 + k)], i + 2 * j + 6 * k);
}

TEST(ParseNpy, TakesTheKeysInAnyOrderAndEmptyAxes) {
  const std::string header = "{\"shape\":(1,1),\"descr\":\"<f8\",\"fortran_order\":False}   \n";
  EXPECT_EQ(parse_npy(npy(header, bytes_of<double>({7}))).values, Numbers{7});
  const Array empty = parse_npy(npy(dictionary("<f8", "False", "(0, 4)"), ""));
  EXPECT_EQ(empty.shape, (Shape{0, 4}));
  EXPECT_TRUE(empty.values.empty());
}

struct Bad {
  std::string bytes;
  std::string message;  // part of it
};

TEST(ParseNpy, RefusesEverythingElse) {
  const std::string one = bytes_of<double>({1});
  const std::string good = npy(dictionary("<f8", "False", "(1,)"), one);
  ASSERT_EQ(input_error([&] { parse_npy(good); }), "");
  const auto typed = [&](const std::string& descr, const std::string& data) {
    return npy(dictionary(descr, "False", "(1,)"), data);
  };
  const auto shaped = [&](const std::string& shape) {
    return npy(dictionary("<f8", "False", shape), one);
  };
  const auto headed = [&](const std::string& header) { return npy(header, one); };
  std::string many_axes;
  for (int axis = 0; axis < 33; ++axis) many_axes += "1, ";
  const std::vector<Bad> cases = {
      {"", "npy start: the file is truncated: 0 bytes left where 6 are needed"},
      {"PK\x03\x04 and so on", "npy start: found 'PK"},
      {"x0_0,w0_0\n1,2\n", "npy start: found 'x0_0,w'"},
      {std::string("\x93NUMPY\x04\x00", 8), "npy version: found 4.0, expected 1.0 to 3.0"},
      {std::string("\x93NUMPY\x01\x01", 8), "npy version: found 1.1"},
      {std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12), "npy header length: found 4294967295"},
      {good + "x", "npy data: found 9 bytes, expected 8"},
      {good.substr(0, good.size() - 1), "npy data: the file is truncated: 7 bytes"},
      {shaped("(1099511627776,)"), "1099511627776 (1 axis) numbers of 8 bytes"},
      {shaped("(4294967296, 4294967296)"), "the file is truncated"},  // the product wraps to 0
      {shaped("(4611686018427387904, 4, 1)"), "the file is truncated"},
      {shaped("(2147483648, 2147483648, 4)"), "the file is truncated"},
      {shaped("(0, 9223372036854775807)"), "npy data: found 8 bytes, expected 0"},
      {shaped("(9223372036854775808,)"), "an axis length"},
      {shaped("(-1,)"), "an axis length"},
      {shaped("(1.0,)"), "expected ','"},
      {shaped("(1"), "an axis length"},
      {shaped("(x,)"), "an axis length"},
      {shaped("()"), "npy shape: found one number (no axes), expected 1 to 3 axes"},
      {shaped("(1, 1, 1, 1)"), "npy shape: found 1 x 1 x 1 x 1 (4 axes)"},
      {shaped("[1]"), "expected '('"},
      {shaped("(" + many_axes + ")"), "expected at most 32 axes"},
      {typed("|O", one), "the number type '|O'"},
      {typed("<c16", one + one), "the number type '<c16'"},
      {typed("<f2", "ab"), "the number type '<f2'"},
      {typed("|b1", "a"), "the number type '|b1'"},
      {typed("<U4", one), "the number type '<U4'"},
      {typed("=f8", one), "the number type '=f8'"},
      {typed("|f8", one), "the number type '|f8'"},
      {typed("", one), "the number type ''"},
      {typed("<M8[ns]", one), "the number type '<M8[ns]'"},
      {typed("<f8", bytes_of<double>({std::nan("")})), "npy data [0]: found nan"},
      {typed("<f8", bytes_of<double>({-HUGE_VAL})), "npy data [0]: found -inf"},
      {typed("<i8", bytes_of<std::int64_t>({(1LL << 53) + 1})), "the integer 9007199254740993"},
      {typed("<i8", bytes_of<std::int64_t>({-(1LL << 53) - 1})), "the integer -9007199254740993"},
      {typed("<u8", bytes_of<std::uint64_t>({~0ULL})), "the integer 18446744073709551615"},
      {headed("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }\n"),
       "one number type (no structured type)"},
      {headed("{'descr': '<f8', 'fortran_order': 0, 'shape': (1,), }\n"), "True or False"},
      {headed("{'descr': '<f8', 'fortran_order': False, }\n"), "no key shape"},
      {headed("{'descr': '<f8', 'descr': '<f8', }\n"), "the key descr twice"},
      {headed("{'descr': '<f8', 'extra': 1, }\n"), "key 'extra'"},
      {headed("{'descr': '<f8' 'fortran_order': False}\n"), "expected ','"},
      {headed("{'descr': '<f8', 'fortran_order': False, 'shape': (1,), } x\n"), "found 'x"},
      {headed("{'descr: 1}"), "a key in quotes"},
      {headed("{'de\\scr': '<f8'}"), "a key in quotes"},
      {headed("{descr: '<f8'}"), "a key in quotes"},
      {headed(""), "found its end, expected '{'"},
      {headed("not a dictionary"), "expected '{'"},
  };
  for (const Bad& bad : cases)
    EXPECT_TRUE(contains(input_error([&] { parse_npy(bad.bytes); }), bad.message));
}

TEST(ParseNpy, NamesTheEntryThatIsNotFinite) {
  const std::string data = bytes_of<double>({0, 1, 2, HUGE_VAL, 4, 5});
  EXPECT_TRUE(contains(
      input_error([&] { parse_npy(npy(dictionary("<f8", "False", "(2, 3)"), data)); }), "[1][0]"));
  EXPECT_TRUE(contains(
      input_error([&] { parse_npy(npy(dictionary("<f8", "True", "(2, 3)"), data)); }), "[1][1]"));
}

TEST(ParseNpy, RefusesEveryTruncation) {
  const std::string bytes = format_npy({{2, 3}, {1, 2, 3, 4, 5, 6}, {}});
  for (size_t length = 0; length < bytes.size(); ++length)
    EXPECT_NE(input_error([&] { parse_npy(bytes.substr(0, length)); }), "") << length;
}

TEST(ParseNpy, SurvivesEveryChangedByte) {
  const std::string bytes = format_npy({{2, 3}, {1, 2, 3, 4, 5, 6}, {}});
  for (size_t at = 0; at < bytes.size(); ++at)
    for (int byte = 0; byte < 256; ++byte) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(byte);
      input_error([&] { parse_npy(changed); });
    }
}

RC_GTEST_PROP(FormatNpy, ReadsBackToTheLastBit, ()) {
  Array array;
  size_t count = 1;
  const auto axes = *rc::gen::inRange(1, 4);
  for (int axis = 0; axis < axes; ++axis) {
    array.shape.push_back(*rc::gen::inRange<Index>(0, 5));
    count *= static_cast<size_t>(array.shape.back());
  }
  for (size_t i = 0; i < count; ++i) {
    const auto value = std::bit_cast<double>(*rc::gen::arbitrary<std::uint64_t>());
    array.values.push_back(std::isfinite(value) ? value : -0.0);
  }
  const std::string bytes = format_npy(array);
  RC_ASSERT((bytes.size() - 8 * count) % 64 == 0u);
  const Array back = parse_npy(bytes);
  RC_ASSERT(back.shape == array.shape);
  RC_ASSERT(back.values.size() == count);
  for (size_t i = 0; i < count; ++i)
    RC_ASSERT(std::bit_cast<std::uint64_t>(back.values[i]) ==
              std::bit_cast<std::uint64_t>(array.values[i]));
}

// What numpy.save(numpy.array([[1.5, -2.0]])) writes, byte for byte.
TEST(FormatNpy, WritesTheBytesThatNumPyWrites) {
  std::string header = dictionary("<f8", "False", "(1, 2)");
  header.pop_back();
  header.resize(117, ' ');
  const std::string expected = npy(header + "\n", bytes_of<double>({1.5, -2.0}));
  ASSERT_EQ(expected.size(), 144u);
  EXPECT_EQ(format_npy({{1, 2}, {1.5, -2.0}, {}}), expected);
}

}  // namespace
}  // namespace loopcert
