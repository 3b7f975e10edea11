#include "problem/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "arrays.hpp"
#include "core/check.hpp"
#include "core/text.hpp"
#include "loopcert/core/error.hpp"
#include "problem/foreign_keys.hpp"

namespace loopcert {
namespace {

using Json = nlohmann::json;

std::string shown(const Json& value) {
  switch (value.type()) {
    case Json::value_t::object:
      return "a table";
    case Json::value_t::array:
      return value.empty() ? "an empty list" : fmt::format("a list of {}", value.size());
    case Json::value_t::string:
      return "the text '" + one_line(value.get_ref<const std::string&>()) + "'";
    case Json::value_t::number_float:  // dump() has no text for NaN and Inf
      return std::isfinite(value.get<double>()) ? value.dump() : number_text(value.get<double>());
    default:
      return one_line(value.dump());
  }
}

}  // namespace

std::string key_path(const std::string& path, std::string_view key) {
  return path.empty() ? one_line(key) : path + "." + one_line(key);
}

void refuse(const Node& node, const std::string& expected) {
  throw_input_error(node.path, shown(*node.value), expected);
}

bool is_double(const nlohmann::json& value) {
  if (value.is_number_unsigned()) {
    const auto whole = value.get<std::uint64_t>();
    const auto near = static_cast<double>(whole);
    return near < 0x1p64 && static_cast<std::uint64_t>(near) == whole;
  }
  if (!value.is_number_integer()) return value.is_number() && std::isfinite(value.get<double>());
  const auto whole = value.get<std::int64_t>();
  const auto near = static_cast<double>(whole);
  return near < 0x1p63 && static_cast<std::int64_t>(near) == whole;
}

double number(const Node& node) {
  if (!node.value->is_number()) refuse(node, "a number");
  if (node.value->is_number_integer() && !is_double(*node.value))
    refuse(node, "a number that a double can represent");
  const auto value = node.value->get<double>();
  if (!std::isfinite(value)) refuse(node, "a finite number");
  return value;
}

double positive_number(const Node& node) {
  const double value = number(node);
  check_positive(node.path, value);
  return value;
}

std::optional<double> number_or_word(const Node& node, const std::string& word) {
  if (node.value->is_string() && text(node) == word) return std::nullopt;
  if (!node.value->is_number()) refuse(node, "a positive number or \"" + word + "\"");
  return positive_number(node);
}

std::vector<Node> items(const Node& node, const std::string& expected) {
  if (!node.value->is_array() || node.value->empty()) refuse(node, expected);
  std::vector<Node> found;
  for (const Json& value : *node.value)
    found.push_back({&value, fmt::format("{}[{}]", node.path, found.size())});
  return found;
}

Index integer(const Node& node) {
  const bool too_large = node.value->is_number_unsigned() &&
                         node.value->get<std::uint64_t>() > std::uint64_t{INT64_MAX};
  if (!node.value->is_number_integer() || too_large) refuse(node, "an integer");
  return node.value->get<Index>();
}

bool boolean(const Node& node) {
  if (!node.value->is_boolean()) refuse(node, "true or false");
  return node.value->get<bool>();
}

std::string text(const Node& node) {
  if (!node.value->is_string()) refuse(node, "a text");
  return node.value->get<std::string>();
}

std::string choice(const Node& node, const std::vector<std::string>& known) {
  if (!node.value->is_string()) refuse(node, "one of " + join(known));
  const std::string word = text(node);
  if (std::find(known.begin(), known.end(), word) == known.end())
    refuse(node, "one of " + join(known) + did_you_mean(word, known));
  return word;
}

Table::Table(Node node, std::vector<std::string> keys) : node_(std::move(node)) {
  if (!node_.value->is_object()) refuse(node_, "a table with " + join(keys));
  const auto known = [&](const std::string& key) {
    return std::find(keys.begin(), keys.end(), key) != keys.end();
  };
  for (const auto& [key, value] : node_.value->items()) {
    if (known(key)) continue;
    // Other files than problems have a top level too: theirs has no horizon. A dot: a table inside.
    const bool problem =
        node_.path.empty() ? known("horizon") : node_.path.find('.') == std::string::npos;
    const std::string advice = problem ? foreign_key_advice(node_.path, key) : "";
    if (!advice.empty()) throw InputError(key_path(node_.path, key) + ": " + advice);
    throw_input_error(key_path(node_.path, key), "an unknown key" + did_you_mean(key, keys),
                      "one of " + join(keys));
  }
}

std::optional<Node> Table::find(const std::string& key) const {
  const auto at = node_.value->find(key);
  if (at == node_.value->end()) return std::nullopt;
  return Node{&*at, key_path(node_.path, key)};
}

Node Table::need(const std::string& key, const std::string& expected) const {
  std::optional<Node> node = find(key);
  if (!node) throw_input_error(key_path(node_.path, key), "nothing", expected);
  return *std::move(node);
}

Table Table::table(const std::string& key, std::vector<std::string> keys) const {
  static const Json empty = Json::object();
  return Table(find(key).value_or(Node{&empty, key_path(node_.path, key)}), std::move(keys));
}

}  // namespace loopcert
