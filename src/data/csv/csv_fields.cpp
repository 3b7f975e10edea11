#include "csv/csv_fields.hpp"

#include <algorithm>
#include <array>

#include "core/number_from.hpp"

namespace loopcert {
namespace {

std::string_view trim(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// Where the field at the front of `line` ends: at a separator outside of quotes, or npos.
size_t field_end(std::string_view line, char separator) {
  const size_t first = line.find_first_not_of(separator == '\t' ? " " : " \t");
  if (first == line.npos || line[first] != '"') return line.find(separator);
  const size_t quote = line.find('"', first + 1);
  return line.find(separator, quote == line.npos ? 0 : quote);
}

}  // namespace

void split_fields(std::string_view line, char separator, std::vector<std::string_view>& fields) {
  fields.clear();
  for (bool more = true; more;) {
    const size_t end = field_end(line, separator);
    more = end != line.npos;
    std::string_view field = trim(line.substr(0, end));
    if (more) line.remove_prefix(end + 1);
    if (field.size() >= 2 && field.starts_with('"') && field.ends_with('"'))
      field = field.substr(1, field.size() - 2);
    fields.push_back(field);
  }
}

std::vector<std::string_view> split_fields(std::string_view line, char separator) {
  std::vector<std::string_view> fields;
  split_fields(line, separator, fields);
  return fields;
}

char separator_of(std::string_view header, std::string_view first_row) {
  for (const char separator : {';', ','}) {
    const size_t fields = split_fields(header, separator).size();
    if (fields > 1 && (first_row.empty() || split_fields(first_row, separator).size() == fields))
      return separator;
  }
  for (const char separator : {';', ',', '\t'})
    if (header.find(separator) != header.npos) return separator;
  return ',';
}

std::optional<double> parse_number(std::string_view field) {
  // number_from knows no plus sign.
  if (field.size() > 1 && field[0] == '+' && field[1] != '-') field.remove_prefix(1);
  return number_from<double>(field);
}

std::optional<double> NumberReader::read(std::string_view field) {
  if (separator_ == ',') return parse_number(field);
  const size_t at = field.find_first_of(".,");
  if (at == field.npos) return parse_number(field);
  if (sign_ != 0 && field[at] != sign_) return std::nullopt;
  std::array<char, 64> copy;
  if (field.size() > copy.size()) return std::nullopt;
  std::copy(field.begin(), field.end(), copy.begin());
  copy[at] = '.';
  const std::optional<double> value = parse_number({copy.data(), field.size()});
  if (value) sign_ = field[at];
  return value;
}

}  // namespace loopcert
