#include "core/visible.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace loopcert {
namespace {

TEST(Visible, LeavesWhatPeopleWrite) {
  EXPECT_EQ(visible_line("Φₓ ≤ 1 \\ 電 🚗 é"), "Φₓ ≤ 1 \\ 電 🚗 é");
  EXPECT_EQ(visible_text("a\n\tb"), "a\n\tb");
}

TEST(Visible, ShowsWhatATerminalWouldObey) {
  EXPECT_EQ(visible_line("\x1b[2J\r\b\x7f\n\t"), "\\x1b[2J\\x0d\\x08\\x7f\\x0a\\x09");
  EXPECT_EQ(visible_text(std::string("\0\x1b\n", 3)), "\\x00\\x1b\n");
  EXPECT_EQ(visible_text("\u009b2J"), "\\xc2\\x9b2J");  // CSI in one character
  EXPECT_EQ(visible_text("a\u202eb\u2066c"), "a\\xe2\\x80\\xaeb\\xe2\\x81\\xa6c");
  EXPECT_EQ(visible_text("\u2028\u2029"), "\\xe2\\x80\\xa8\\xe2\\x80\\xa9");
}

TEST(Visible, ShowsBytesThatAreNoText) {
  EXPECT_EQ(visible_text("a\xff\xc3"), "a\\xff\\xc3");
  EXPECT_EQ(visible_text("\xe0\x82\x9b"), "\\xe0\\x82\\x9b");  // CSI, overlong
  EXPECT_EQ(visible_text("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // half of a surrogate pair
  EXPECT_EQ(visible_text("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
  EXPECT_EQ(visible_text("\xe2\x82<"), "\\xe2\\x82<");  // a sequence cut short hides nothing
}

RC_GTEST_PROP(Visible, NoByteStringLeavesAControlCharacter, (const std::string& text)) {
  const std::string line = visible_line(text);
  RC_ASSERT(std::none_of(line.begin(), line.end(),
                         [](unsigned char c) { return c < 0x20 || c == 0x7f; }));
  RC_ASSERT(visible_line(line) == line);
}

}  // namespace
}  // namespace loopcert
