#include "report/text.hpp"
#include "report/plots.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>

namespace loopcert::report {
namespace {

TEST(HtmlEscape, LeavesNoMarkup) {
  EXPECT_EQ(html_escape("<script>alert('1' & \"2\")</script>"),
            "&lt;script&gt;alert(&#39;1&#39; &amp; &quot;2&quot;)&lt;/script&gt;");
  EXPECT_EQ(html_escape("Φₓ ≤ 1"), "Φₓ ≤ 1");
}

TEST(HtmlEscape, ReplacesWhatIsNoText) {
  EXPECT_EQ(html_escape(std::string("a\0b\x1b", 4)), "a\uFFFDb\uFFFD");
  EXPECT_EQ(html_escape("a\xff\xc3"), "a\uFFFD\uFFFD");
  EXPECT_EQ(html_escape("\xe2\x82<"), "\uFFFD\uFFFD&lt;");  // a sequence cut short hides nothing
}

RC_GTEST_PROP(HtmlEscape, NoByteStringMakesMarkup, (const std::string& text)) {
  RC_ASSERT(html_escape(text).find_first_of("<>\"'") == std::string::npos);
}

TEST(ScriptJson, CannotEndItsElementAndReadsBack) {
  const nlohmann::json tree = {{"name", "</script><!--<script>&\u2028\u2029"}, {"x", 0.1}};
  const std::string text = script_json(tree);
  EXPECT_EQ(text.find_first_of("<>&"), std::string::npos);
  EXPECT_EQ(text.find("\u2028"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(text), tree);
}

TEST(ContentHash, IsTheStandardOne) {
  // printf '' | openssl dgst -sha256 -binary | base64, and the same for "abc".
  EXPECT_EQ(content_hash(""), "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='");
  EXPECT_EQ(content_hash("abc"), "'sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0='");
}

TEST(NiceNumber, ReadsLikeAPersonWritesIt) {
  EXPECT_EQ(nice_number(0), "0");
  EXPECT_EQ(nice_number(3.11849), "3.118");
  EXPECT_EQ(nice_number(-0.25), "−0.25");
  EXPECT_EQ(nice_number(123456), "123456");
  EXPECT_EQ(nice_number(1e7), "10⁷");
  EXPECT_EQ(nice_number(3.2e-7), "3.2·10⁻⁷");
  EXPECT_EQ(nice_number(std::nan("")), "–");
  EXPECT_EQ(percent(0.95), "95\u00a0%");
  EXPECT_EQ(count_text(1, "state", "states"), "1 state");
}

TEST(Text, BoundsAreRoundedUp) {
  EXPECT_EQ(nice_bound(3.11801), "3.119");
  EXPECT_EQ(nice_bound(-3.1189), "−3.118");
  EXPECT_EQ(nice_bound(3.25), "3.25");
  EXPECT_EQ(nice_bound(9.99901), "10");
  EXPECT_EQ(nice_bound(12345.61), "12345.7");  // as many digits as nice_number shows
  EXPECT_EQ(nice_bound(2.00000001e7), "2.001·10⁷");
  EXPECT_EQ(part_number({"a bound", 3.11801, "", true}), "3.119");
  EXPECT_EQ(part_number({"a cost", 3.11801, ""}), "3.118");
}

}  // namespace
}  // namespace loopcert::report
