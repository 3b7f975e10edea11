#include "loopcert/core/rounded.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace loopcert {
namespace {

TEST(Rounded, ConfidenceIsNeverRoundedUp) {
  EXPECT_EQ(confidence_text(0.95), "0.95");
  EXPECT_EQ(confidence_text(1 - 0.025 - 0.0125 - 0.0125), "0.95");  // up to rounding errors
  EXPECT_EQ(confidence_text(0.94996), "0.9499");
  EXPECT_EQ(confidence_text(1 - 4e-5), "0.99996");
  EXPECT_EQ(confidence_text(1 - 3.7e-7), "0.99999963");
  EXPECT_EQ(confidence_text(1), "1");
  EXPECT_EQ(confidence_text(0), "0");
  for (double delta = 1e-11; delta < 1; delta *= 1.7)
    EXPECT_LE(std::stod(confidence_text(1 - delta)), 1 - delta + 1e-12) << delta;
}

TEST(Rounded, BoundIsNeverRoundedDown) {
  EXPECT_EQ(bound_text(6.25), "6.25");  // what fits stays
  EXPECT_EQ(bound_text(0.1), "0.1");
  EXPECT_EQ(bound_text(3.1415901), "3.1416");
  EXPECT_EQ(bound_text(3.1415999), "3.1416");
  EXPECT_EQ(bound_text(3.1416001), "3.14161");
  EXPECT_EQ(bound_text(9.9999901), "10");
  EXPECT_EQ(bound_text(-3.1416001), "-3.1416");  // a difference: towards zero
  EXPECT_EQ(bound_text(-3.1415999), "-3.14159");
  EXPECT_EQ(bound_text(-10.00001), "-10");
  EXPECT_EQ(bound_text(1234567.1), "1.23457e+06");
  EXPECT_EQ(bound_text(1234561.0), "1.23457e+06");
  EXPECT_EQ(bound_text(0), "0");
  EXPECT_EQ(rounded_bound(2.00049, 4), 2.001);
  EXPECT_EQ(rounded_bound(5e-324, 6), 1e-290);
  EXPECT_EQ(rounded_bound(-1e-300, 6), 0);
  EXPECT_TRUE(std::isnan(rounded_bound(std::nan(""), 6)));
  EXPECT_EQ(rounded_bound(std::numeric_limits<double>::max(), 6),
            std::numeric_limits<double>::infinity());
}

// Also as it is printed: with its digits and no more, and not by a whole digit too high.
TEST(Rounded, BoundIsThePrintedNumberJustAbove) {
  for (const int digits : {1, 3, 4, 6})
    for (double size = 3.7e-290; size < 1e307; size *= 1.37)
      for (const double value : {size, -size}) {
        const double rounded = rounded_bound(value, digits);
        EXPECT_EQ(std::stod(fmt::format("{:.{}g}", rounded, digits)), rounded) << value;
        EXPECT_GE(rounded, value);
        EXPECT_LE(rounded - value, std::abs(value) * std::pow(10, 1 - digits) * (1 + 1e-9));
      }
}

}  // namespace
}  // namespace loopcert
