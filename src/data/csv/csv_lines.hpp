// The lines of CSV text, before any field is looked at.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace loopcert {

struct CsvHeader {
  std::vector<std::string> names;
  char separator = ',';
};

// Takes the header off the front of `text`.
CsvHeader take_header(std::string_view& text);

// Takes the next line, without its LF or CRLF, off the front of `text`.
std::string_view take_line(std::string_view& text);

bool only_line_ends(std::string_view text);

// Throws InputError unless the text behind the header ends with a line end.
void check_last_line(std::string_view rows);

// The fields of one row; throws InputError unless there are as many as expected.
void split_row(std::string_view line, char separator, size_t row, size_t expected,
               std::vector<std::string_view>& fields);

}  // namespace loopcert
