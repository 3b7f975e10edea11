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

void require_format(const json& tree, const std::string& name) {
  const json& format = field(tree, "format");
  if (format != name) refuse("format", format, "\"" + name + "\"");
}

}  // namespace loopcert
