#include "core/csv_text.hpp"

#include <gtest/gtest.h>

namespace loopcert {
namespace {

TEST(CsvText, QuotesWhatNeedsQuotes) {
  EXPECT_EQ(csv_text("ridge"), "ridge");
  EXPECT_EQ(csv_text(""), "");
  EXPECT_EQ(csv_text("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_text("a\"b\nc"), "\"a\"\"b\nc\"");
}

TEST(CsvText, IsNoFormula) {
  for (const char* evil : {"=1", "+1", "-1", "@SUM(1)", "\t=1"})
    EXPECT_EQ(csv_text(evil), std::string("'") + evil);
  EXPECT_EQ(csv_text("=HYPERLINK(\"a\",1)"), "\"'=HYPERLINK(\"\"a\"\",1)\"");
  EXPECT_EQ(csv_text("a=b"), "a=b");
}

}  // namespace
}  // namespace loopcert
