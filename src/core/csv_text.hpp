// Text in a CSV file that we write.
#pragma once

#include <string>

namespace loopcert {

// One field, in quotes where it needs them. Where a spreadsheet would compute it (=, +, -, @ or a
// tab at its start) with an apostrophe in front, which says there that it is text.
std::string csv_text(const std::string& text);

}  // namespace loopcert
