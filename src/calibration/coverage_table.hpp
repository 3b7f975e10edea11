// Rows of words as a table for a terminal and for a document.
#pragma once

#include <string>
#include <vector>

namespace loopcert {

using Row = std::vector<std::string>;

// Empty when there are no rows.
std::string aligned_table(const std::string& title, const Row& head, const std::vector<Row>& rows);
std::string markdown_table(const std::string& title, const Row& head, const std::vector<Row>& rows);

}  // namespace loopcert
