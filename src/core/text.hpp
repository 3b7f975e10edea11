// Small text helpers for messages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace loopcert {

// The candidate with the smallest edit distance (adjacent swaps count one) to `word`, or "" when
// none is near enough to be a likely misspelling.
std::string nearest_word(std::string_view word, const std::vector<std::string>& candidates);

// " (did you mean 'horizon'?)" where something is near, else "".
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

// Shortest text that reads back as the same double.
std::string number_text(double value);

// Text as messages show it: printable ASCII on one line, cut when long.
std::string one_line(std::string_view text);

// "a, b, c"
std::string join(const std::vector<std::string>& words, std::string_view separator = ", ");

}  // namespace loopcert
