// Fields of a JSON object, checked. First those that must be there and be of one type: InputError
// names the key.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "loopcert/core/types.hpp"

namespace loopcert {

const nlohmann::json& field(const nlohmann::json& tree, const std::string& key);
std::string text_field(const nlohmann::json& tree, const std::string& key);
double number_field(const nlohmann::json& tree, const std::string& key);
bool flag_field(const nlohmann::json& tree, const std::string& key);
Index whole_field(const nlohmann::json& tree, const std::string& key, Index least, Index most);
const nlohmann::json& list_field(const nlohmann::json& tree, const std::string& key);

// null is nothing.
std::optional<double> optional_number(const nlohmann::json& tree, const std::string& key);
std::string optional_text(const nlohmann::json& tree, const std::string& key);

// The entries of a list at `place`; InputError names that, or the entry.
std::vector<double> numbers_in(const nlohmann::json& list, const std::string& place);
std::vector<int> whole_numbers_in(const nlohmann::json& list, const std::string& place);

// Then those that may be missing, or hold something else in their place, in a tree that may be no
// object: nothing, 0 or "" then.
bool has_text(const nlohmann::json& tree, const std::string& key);
std::string text_at(const nlohmann::json& tree, const std::string& key);
std::optional<double> number_at(const nlohmann::json& tree, const std::string& key);
Index count_at(const nlohmann::json& tree, const std::string& key);

// What a file says it is.
void require_format(const nlohmann::json& tree, const std::string& name);

}  // namespace loopcert
