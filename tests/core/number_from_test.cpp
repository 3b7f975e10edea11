#include "core/number_from.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace loopcert {
namespace {

TEST(NumberFrom, TakesTheWholeTextOrNothing) {
  EXPECT_EQ(number_from<std::int64_t>("-12"), -12);
  EXPECT_EQ(number_from<std::uint64_t>("18446744073709551615"), UINT64_MAX);
  EXPECT_EQ(number_from<double>("1e-3"), 1e-3);
  for (const char* text : {"", " 1", "1 ", "+1", "1x", "0x1", "1/2", "9223372036854775808"})
    EXPECT_EQ(number_from<std::int64_t>(text), std::nullopt) << text;
  for (const char* text : {"-1", "18446744073709551616", "1.0"})
    EXPECT_EQ(number_from<std::uint64_t>(text), std::nullopt) << text;
}

}  // namespace
}  // namespace loopcert
