#include "loopcert/core/confidence.hpp"

#include <gtest/gtest.h>

namespace loopcert {
namespace {

TEST(Confidence, IsNeverRoundedUp) {
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

}  // namespace
}  // namespace loopcert
