// A TOML or JSON file as one tree of keys and values, so that one decoder reads both.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace loopcert {

// By extension (.toml, .json). Throws InputError "file: line 3, column 7: found …, expected …" on
// files over 64 MiB, nesting deeper than 32, syntax errors, keys given twice, and in TOML on dates
// and on bytes that are not ASCII (outside of comments and of texts in double quotes, in UTF-8).
nlohmann::json read_tree(const std::filesystem::path& path);

nlohmann::json tree_from_toml(std::string_view text);

}  // namespace loopcert
