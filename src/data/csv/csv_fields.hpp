// One line of CSV and its fields.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace loopcert {

// What separates fields, as the header shows it: ';' where it has one and the first row has as many
// fields, else ',', else a tab.
char separator_of(std::string_view header, std::string_view first_row);

// The fields of a line, without the blanks around them. A field in double quotes loses them; what
// separates fields is text inside of quotes.
std::vector<std::string_view> split_fields(std::string_view line, char separator);
void split_fields(std::string_view line, char separator, std::vector<std::string_view>& fields);

// The whole field as one number (NaN and infinities included, for the caller to judge), or nothing.
// A number too large or too small for a double is no number.
std::optional<double> parse_number(std::string_view field);

// Numbers of one file. Where ',' does not separate fields it may be the decimal sign, and then it
// is that of every number: "1.234" beside "2,5" could be a thousand or one.
class NumberReader {
 public:
  explicit NumberReader(char separator) : separator_(separator) {}

  std::optional<double> read(std::string_view field);
  // The decimal sign that other fields of the file have: 0 before any has one.
  char sign() const { return sign_; }

 private:
  char separator_;
  char sign_ = 0;
};

}  // namespace loopcert
