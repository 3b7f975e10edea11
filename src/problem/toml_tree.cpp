// toml++ asserts on some malformed input instead of reporting it: compiled without assertions.
#ifndef NDEBUG
#define NDEBUG
#endif
#define TOML_FLOAT_CHARCONV 1  // exact, and independent of the locale
#define TOML_ENABLE_FORMATTERS 0
#include <fmt/format.h>
#include <toml++/toml.h>

#include <nlohmann/json.hpp>

#include "core/json.hpp"
#include "guard.hpp"
#include "loopcert/core/error.hpp"
#include "problem/fields.hpp"
#include "problem/tree_file.hpp"

namespace loopcert {
namespace {

using Json = nlohmann::json;

Json convert(const toml::node& node, const std::string& path, int depth) {
  if (depth > deepest_nesting)
    throw InputError(fmt::format("{}: nested deeper than {} levels", path, deepest_nesting));
  if (const auto* table = node.as_table()) {
    Json tree = Json::object();
    for (const auto& [key, value] : *table)
      tree[std::string(key.str())] = convert(value, key_path(path, key.str()), depth + 1);
    return tree;
  }
  if (const auto* array = node.as_array()) {
    Json tree = Json::array();
    tree.get_ref<Json::array_t&>().reserve(array->size());
    for (size_t i = 0; i < array->size(); ++i)
      tree.push_back(convert((*array)[i], path, depth + 1));
    return tree;
  }
  if (const auto* value = node.as_string()) return value->get();
  if (const auto* value = node.as_integer()) return value->get();
  if (const auto* value = node.as_floating_point()) return value->get();
  if (const auto* value = node.as_boolean()) return value->get();
  throw_input_error(path, "a date or time", "a number, a text, true, false, a list or a table");
}

}  // namespace

Json tree_from_toml(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // byte order mark
  const std::string guarded = guard_toml(text);
  try {
    return convert(toml::parse(guarded), "", 0);
  } catch (const toml::parse_error& error) {
    const auto& at = error.source().begin;
    throw InputError(fmt::format("line {}, column {}: not valid TOML: {}", at.line, at.column,
                                 one_line(error.description())));
  }
}

}  // namespace loopcert
