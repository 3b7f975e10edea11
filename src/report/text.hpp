// The only ways text and numbers get into a page.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace loopcert::report {

// Every text that was not written here goes through this, in elements and in attributes. What is
// not shown (core/visible.hpp) becomes U+FFFD; line breaks and tabs stay.
std::string html_escape(std::string_view text);

// JSON that cannot end the <script> element it stands in, nor be read as markup.
std::string script_json(const nlohmann::json& tree);

// 'sha256-…' of a content security policy: what allows one inline script or style and no other.
std::string content_hash(std::string_view content);

// For people: at most `digits` significant digits, a real minus sign, powers of ten as 3·10⁻⁷.
std::string nice_number(double value, int digits = 4);
// An upper bound: rounded up to the digits that nice_number shows.
double rounded_up(double value, int digits = 4);
std::string nice_bound(double value, int digits = 4);

// "95 %", "97.5 %", with a space that does not break
std::string percent(double confidence);  // rounded down

// "1 trajectory", "40 trajectories"
std::string count_text(long count, const std::string& one, const std::string& many);

// With a capital in front.
std::string at_start(std::string text);

}  // namespace loopcert::report
