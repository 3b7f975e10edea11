// CSV text: one header row of names, then rows of finite numbers. The header shows what separates
// fields: ',', ';' or tabs. Where it is not ',' the decimal sign may be ',' instead of '.'.
// Rows and columns in messages count from 1 as a spreadsheet shows them; the header is row 1.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/array.hpp"

namespace loopcert {

// Strict: nothing is skipped, filled in or guessed. Throws InputError "row 3, column 2 (w0_1): …".
Array parse_csv(std::string_view text);

// The names in the first row, as they stand there (without quotes and blanks around them).
std::vector<std::string> parse_csv_header(std::string_view text);

// Which columns of a file to read, by position; the others may hold anything.
struct CsvChoice {
  std::vector<size_t> numbers;
  bool clock = false;           // the first of `numbers` may hold ISO timestamps: seconds then
  size_t may_be_empty = 0;      // the last so many of `numbers`: an empty field reads as NaN
  std::optional<size_t> label;  // read as text
};

struct CsvRows {
  Index rows = 0;
  std::vector<double> values;       // rows x numbers, row-major
  std::vector<std::string> labels;  // one per row when asked for
};

CsvRows parse_csv_rows(std::string_view text, const CsvChoice& choice);

// Two axes. Numbers are the shortest texts that read back as the same doubles. Without names the
// columns are called c0, c1, …
std::string format_csv(const Array& array);

Array read_csv(const std::filesystem::path& path);
void write_csv(const std::filesystem::path& path, const Array& array);

}  // namespace loopcert
