// Fields of a JSON object that must be there and be of one type: InputError names the key.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

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

// What a file says it is.
void require_format(const nlohmann::json& tree, const std::string& name);

}  // namespace loopcert
