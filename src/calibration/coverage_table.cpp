#include "coverage_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/visible.hpp"

namespace loopcert {
namespace {

// Names come from files: a cell stays in its row.
std::vector<Row> lines_only(std::vector<Row> rows) {
  for (Row& row : rows)
    for (std::string& word : row) word = visible_line(word);
  return rows;
}

// A cell that can neither end itself nor open an element.
std::string markdown_cell(const std::string& word) {
  std::string out;
  for (const char c : word) {
    if (c == '|')
      out += "\\|";
    else if (c == '<')
      out += "&lt;";
    else
      out += c;
  }
  return out;
}

}  // namespace

std::string aligned_table(const std::string& title, const Row& head,
                          const std::vector<Row>& found) {
  if (found.empty()) return "";
  const std::vector<Row> rows = lines_only(found);
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
                           const std::vector<Row>& found) {
  if (found.empty()) return "";
  const std::vector<Row> rows = lines_only(found);
  std::string text = "### " + title + "\n\n";
  const auto add = [&](const Row& row) {
    for (const std::string& word : row) text += "| " + markdown_cell(word) + " ";
    text += "|\n";
  };
  add(head);
  for (size_t i = 0; i < head.size(); ++i) text += "|---";
  text += "|\n";
  for (const Row& row : rows) add(row);
  return text + "\n";
}

}  // namespace loopcert
