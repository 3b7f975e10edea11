// Trajectory files: what reading disturbances and reading rollouts share.
#pragma once

#include <filesystem>

#include "data/axes.hpp"
#include "data/formats.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/data/layout.hpp"
#include "loopcert/system/plant.hpp"

namespace loopcert {

// What a file holds of each episode.
inline Quantity states_of(const Sizes& s, const DataLayout& layout) {
  if (s.T == 0) return {layout.symbol, 1, s.n_x, true, true};  // logs of any length
  return {layout.symbol, s.T + 1, s.n_x, layout.longer != Longer::refuse};
}

inline Quantity inputs_of(const Sizes& s, const DataLayout& layout) {
  if (s.T == 0) return {"u", 1, s.n_u, true, true};
  return {"u", s.T + (layout.last_input ? 1 : 0), s.n_u, layout.longer != Longer::refuse};
}

inline Quantity disturbances_of(const Sizes& s, const DataLayout& layout) {
  return {"w", s.T + 1, s.n_w, layout.longer == Longer::first};  // only states are cut to pieces
}

inline bool is_csv(const std::filesystem::path& path) {
  return format_of(path).extension == ".csv";
}

// A CSV table has rows for episodes: no other order of axes is possible.
inline Episodes episodes_from_table(const Array& array, const Quantity& quantity) {
  return episodes_from_array(array, {Axis::episode, Axis::step, Axis::component}, quantity);
}

// Disturbances as data.axes says, or, where that does not fit, in the order in which we write them.
inline Episodes disturbance_episodes(const Array& array, const DataLayout& layout,
                                     const Sizes& sizes) {
  const Quantity w = disturbances_of(sizes, layout);
  const std::vector<Index> rows = {array.shape.empty() ? 0 : array.shape[0],
                                   w.steps * w.components};
  const std::vector<Index> blocks = {rows[0], w.steps, w.components};
  if (!layout.axes.empty() && (array.shape == rows || array.shape == blocks)) try {
      return episodes_from_array(array, layout.axes, w);
    } catch (const InputError&) {
      return episodes_from_table(array, w);
    }
  return episodes_from_array(array, layout.axes, w);
}

inline void append_rows(Matrix& rows, const Matrix& more) {
  const Index before = rows.rows();
  rows.conservativeResize(before + more.rows(), more.cols());
  rows.bottomRows(more.rows()) = more;
}

}  // namespace loopcert
