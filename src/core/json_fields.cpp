#include "core/json_fields.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "core/text.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {

using nlohmann::json;

namespace {

[[noreturn]] void refuse(const std::string& key, const json& value, const std::string& expected) {
  throw_input_error(key, one_line(value.dump()), expected);
}

template <class Number>
std::vector<Number> entries(const json& list, const std::string& place) {
  if (!list.is_array()) throw_input_error(place, list.type_name(), "a list of numbers");
  std::vector<Number> numbers;
  for (const json& entry : list) {
    if (std::is_integral_v<Number> ? !entry.is_number_integer() : !entry.is_number())
      refuse(fmt::format("{}[{}]", place, numbers.size()), entry, "a number");
    numbers.push_back(entry.get<Number>());
  }
  return numbers;
}

}  // namespace

const json& field(const json& tree, const std::string& key) {
  if (!tree.is_object()) throw_input_error("top level", tree.type_name(), "an object");
  const auto found = tree.find(key);
  if (found == tree.end()) throw_input_error(key, "nothing", "this key");
  return *found;
}

std::string text_field(const json& tree, const std::string& key) {
  const json& value = field(tree, key);
  if (!value.is_string()) refuse(key, value, "a text");
  return value.get<std::string>();
}

double number_field(const json& tree, const std::string& key) {
  const json& value = field(tree, key);
  if (!value.is_number()) refuse(key, value, "a number");
  return value.get<double>();
}

bool flag_field(const json& tree, const std::string& key) {
  const json& value = field(tree, key);
  if (!value.is_boolean()) refuse(key, value, "true or false");
  return value.get<bool>();
}

Index whole_field(const json& tree, const std::string& key, Index least, Index most) {
  const json& value = field(tree, key);
  const bool whole = value.is_number_integer() &&
                     (!value.is_number_unsigned() || value.get<std::uint64_t>() <= INT64_MAX);
  if (!whole || value.get<Index>() < least || value.get<Index>() > most)
    refuse(key, value, fmt::format("a whole number from {} to {}", least, most));
  return value.get<Index>();
}

const json& list_field(const json& tree, const std::string& key) {
  const json& value = field(tree, key);
  if (!value.is_array()) throw_input_error(key, value.type_name(), "a list");
  return value;
}

std::optional<double> optional_number(const json& tree, const std::string& key) {
  if (field(tree, key).is_null()) return std::nullopt;
  return number_field(tree, key);
}

std::string optional_text(const json& tree, const std::string& key) {
  return field(tree, key).is_null() ? "" : text_field(tree, key);
}

std::vector<double> numbers_in(const json& list, const std::string& place) {
  return entries<double>(list, place);
}

std::vector<int> whole_numbers_in(const json& list, const std::string& place) {
  return entries<int>(list, place);
}

bool has_text(const json& tree, const std::string& key) {
  return tree.is_object() && tree.contains(key) && tree[key].is_string();
}

std::string text_at(const json& tree, const std::string& key) {
  return has_text(tree, key) ? tree[key].get<std::string>() : std::string();
}

std::optional<double> number_at(const json& tree, const std::string& key) {
  if (!tree.is_object() || !tree.contains(key) || !tree[key].is_number()) return std::nullopt;
  return tree[key].get<double>();
}

Index count_at(const json& tree, const std::string& key) {
  const double value = number_at(tree, key).value_or(0);
  return value >= 0 && value <= 1e15 ? static_cast<Index>(value) : 0;
}

void require_format(const json& tree, const std::string& name) {
  const json& format = field(tree, "format");
  if (format != name) refuse("format", format, "\"" + name + "\"");
}

}  // namespace loopcert
