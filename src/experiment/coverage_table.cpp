#include "coverage_table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace loopcert {

std::string aligned_table(const std::string& title, const Row& head, const std::vector<Row>& rows) {
  if (rows.empty()) return "";
  std::vector<size_t> width;
  for (const std::string& word : head) width.push_back(word.size());
  for (const Row& row : rows)
    for (size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], row[i].size());
  std::string text = title + "\n";
  const auto add = [&](const Row& row) {
    for (size_t i = 0; i + 1 < row.size(); ++i) text += fmt::format("  {:<{}}", row[i], width[i]);
    text += "  " + row.back() + "\n";
  };
  add(head);
  for (const Row& row : rows) add(row);
  return text + "\n";
}

std::string markdown_table(const std::string& title, const Row& head,
                           const std::vector<Row>& rows) {
  if (rows.empty()) return "";
  std::string text = "### " + title + "\n\n";
  const auto add = [&](const Row& row) {
    for (const std::string& word : row) text += "| " + word + " ";
    text += "|\n";
  };
  add(head);
  for (size_t i = 0; i < head.size(); ++i) text += "|---";
  text += "|\n";
  for (const Row& row : rows) add(row);
  return text + "\n";
}

}  // namespace loopcert
