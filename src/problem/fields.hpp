// Values of a tree with the path of their key, so that every message says where to look. What the
// problem file and the sweep file are decoded with.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/text.hpp"
#include "loopcert/core/types.hpp"

namespace loopcert {

struct Node {
  const nlohmann::json* value = nullptr;
  std::string path;  // "cost.Q"
};

std::string key_path(const std::string& path, std::string_view key);

// "path: found <value>, expected …"
[[noreturn]] void refuse(const Node& node, const std::string& expected);

double number(const Node& node);  // finite
double positive_number(const Node& node);
// A positive number, or one word that stands for "not fixed by the user" (nullopt).
std::optional<double> number_or_word(const Node& node, const std::string& word);
Index integer(const Node& node);
std::vector<Node> items(const Node& node, const std::string& expected);  // of a list, not empty
bool boolean(const Node& node);
std::string text(const Node& node);
std::string choice(const Node& node, const std::vector<std::string>& known);

// A table whose keys are all known.
class Table {
 public:
  Table(Node node, std::vector<std::string> keys);

  std::optional<Node> find(const std::string& key) const;
  Node need(const std::string& key, const std::string& expected) const;
  // An optional table inside; empty when it is not there.
  Table table(const std::string& key, std::vector<std::string> keys) const;

 private:
  Node node_;
};

}  // namespace loopcert
