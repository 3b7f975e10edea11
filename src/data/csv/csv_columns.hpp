// Columns of a CSV file found by name, their units checked.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "loopcert/data/layout.hpp"

namespace loopcert {

using Names = std::vector<std::string>;

// The position of the column that `wanted` names, or nothing. Throws InputError when there are two,
// or when file and problem name different units.
std::optional<size_t> find_column(const Names& header, const ColumnSpec& wanted);

// The same; throws InputError when there is none, naming the key that asks for it.
size_t need_column(const Names& header, const ColumnSpec& wanted, const std::string& key);

// The columns of a quantity: those the problem maps, else "x0", "x1", … of `symbol`.
std::vector<ColumnSpec> component_columns(const std::vector<ColumnSpec>& mapped,
                                          const std::string& symbol, Index components);

}  // namespace loopcert
