#include "csv_fields.hpp"

#include <charconv>

namespace loopcert {
namespace {

std::string_view trim(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace

std::string_view take_field(std::string_view& line) {
  const size_t end = line.find(',');
  std::string_view field = trim(line.substr(0, end));
  line.remove_prefix(end == line.npos ? line.size() : end + 1);
  if (field.size() >= 2 && field.starts_with('"') && field.ends_with('"'))
    field = field.substr(1, field.size() - 2);
  return field;
}

std::vector<std::string_view> split_fields(std::string_view line) {
  std::vector<std::string_view> fields;
  for (bool more = true; more;) {
    more = line.find(',') != line.npos;
    fields.push_back(take_field(line));
  }
  return fields;
}

std::optional<double> parse_number(std::string_view field) {
  // from_chars knows no plus sign.
  if (field.size() > 1 && field[0] == '+' && field[1] != '-') field.remove_prefix(1);
  double value = 0;
  const char* const end = field.data() + field.size();
  const auto [stopped, error] = std::from_chars(field.data(), end, value);
  if (error != std::errc() || stopped != end) return std::nullopt;
  return value;
}

}  // namespace loopcert
