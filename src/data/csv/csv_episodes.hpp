// Episodes from CSV text: one row per episode (wide) or one row per step (long).
#pragma once

#include <optional>
#include <string_view>

#include "csv/csv_columns.hpp"
#include "data/axes.hpp"
#include "loopcert/system/plant.hpp"

namespace loopcert {

// One row per episode: a column for each component and step, found by name. Nothing when the first
// column is not there.
std::optional<Episodes> wide_episodes(std::string_view text, const DataLayout& layout,
                                      const Quantity& quantity);

// One row per step: the columns of each quantity, cut into episodes.
struct LongEpisodes {
  Episodes x, u, w;  // those that were asked for; u has a row for every state
};
LongEpisodes long_episodes(std::string_view text, const DataLayout& layout, const Sizes& sizes,
                           bool rollouts);

// The problem's columns for a quantity, by its symbol.
const std::vector<ColumnSpec>& mapped_columns(const DataLayout& layout, const std::string& symbol);

}  // namespace loopcert
